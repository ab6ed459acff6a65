import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { jwtVerify } from 'jose';
import { type Answer, oauthError } from './google-answers.ts';

/** A service account that exists only here: the key file, and what Google knows of it. */
export interface ThrowAwayAccount {
  readonly json: string;
  readonly clientEmail: string;
  readonly tokenUri: string;
  readonly publicKey: KeyObject;
}

/** That of all accounts of a process: it takes a tenth of a second to make one. */
let key: KeyObject | undefined;

/** Makes a service account whose tokens come from the given address. */
export function throwAwayAccount(tokenUri: string, name = 'punchcard'): ThrowAwayAccount {
  key ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const clientEmail = `${name}@throw-away.iam.gserviceaccount.com`;
  const file = {
    type: 'service_account',
    project_id: 'throw-away',
    private_key_id: randomBytes(20).toString('hex'),
    private_key: key.export({ format: 'pem', type: 'pkcs8' }),
    client_email: clientEmail,
    client_id: '100000000000000000000',
    token_uri: tokenUri,
  };
  return {
    json: JSON.stringify(file, null, 2),
    clientEmail,
    tokenUri,
    publicKey: createPublicKey(key),
  };
}

/** The token endpoint of OAuth, and the memory of the tokens that it gave out. */
export interface TokenEndpoint {
  exchange(form: URLSearchParams): Promise<Answer>;
  accepts(authorization: string | undefined): boolean;
  /** Makes every token invalid, as when the account's key is changed. */
  revokeAll(): void;
}

const scope = 'https://www.googleapis.com/auth/wallet_object.issuer';

export function createTokenEndpoint(account: ThrowAwayAccount, now: () => Date): TokenEndpoint {
  const tokens = new Map<string, number>();
  const lifetimeSeconds = 3_599;
  return {
    async exchange(form) {
      if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
        return oauthError('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type')}`);
      const problem = await assertionProblem(form.get('assertion') ?? '', account, now());
      if (problem !== null) return oauthError('invalid_grant', problem);
      const token = `ya29.${randomBytes(60).toString('base64url')}`;
      tokens.set(token, now().getTime() + lifetimeSeconds * 1_000);
      const body = { access_token: token, expires_in: lifetimeSeconds, token_type: 'Bearer' };
      return { status: 200, body };
    },
    accepts(authorization = '') {
      const expires = tokens.get(authorization.replace(/^Bearer /, ''));
      return authorization.startsWith('Bearer ') && expires !== undefined && expires > now().getTime();
    },
    revokeAll() {
      tokens.clear();
    },
  };
}

/** RFC 7523 §3, with Google's own rules: one scope, an hour at most. */
async function assertionProblem(
  assertion: string,
  account: ThrowAwayAccount,
  now: Date,
): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(assertion, account.publicKey, {
      algorithms: ['RS256'],
      issuer: account.clientEmail,
      audience: account.tokenUri,
      currentDate: now,
      requiredClaims: ['iat', 'exp'],
    });
    const { iat = 0, exp = 0 } = payload;
    if (payload.scope !== scope) return `Invalid scope: ${payload.scope}`;
    if (exp - iat > 3_600) return 'Invalid JWT: Token must be a short-lived token (60 minutes).';
    return iat > now.getTime() / 1_000 + 60 ? 'Invalid JWT: iat is in the future.' : null;
  } catch (error) {
    return `Invalid JWT Signature. ${error instanceof Error ? error.message : ''}`;
  }
}
