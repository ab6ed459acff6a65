import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isSafeUrl } from '../../kit/safe-fetch/outgoing-calls.ts';

/** The account of a Google Cloud project in whose name the Wallet API is called. */
export interface ServiceAccount {
  readonly clientEmail: string;
  /** RSA, 2,048 bits or more. */
  readonly privateKey: KeyObject;
  /** Names the key among those of the account; null where the file does not. */
  readonly privateKeyId: string | null;
  /** Where assertions are exchanged for access tokens. */
  readonly tokenUri: string;
}

/** A service account cannot be used; the message names the member of its JSON and what to do. */
export class ServiceAccountProblem extends Error {
  override readonly name = 'ServiceAccountProblem';
}

/** Where Google exchanges assertions. */
export const googlesTokenUri = 'https://oauth2.googleapis.com/token';

/**
 * Reads the JSON key file of a service account as the Google Cloud console gives it out. Raises ServiceAccountProblem,
 * whose message never quotes the key.
 */
export function parseServiceAccount(json: string): ServiceAccount {
  const members = parseObject(json);
  if (members.type !== undefined && members.type !== 'service_account') {
    throw new ServiceAccountProblem(
      'type is not "service_account": this is another kind of credentials. Create a JSON key of a service account.',
    );
  }
  return {
    clientEmail: clientEmail(members),
    privateKey: privateKey(members),
    privateKeyId: typeof members.private_key_id === 'string' ? members.private_key_id : null,
    tokenUri: tokenUri(members),
  };
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const members: unknown = JSON.parse(json);
    if (typeof members === 'object' && members !== null && !Array.isArray(members))
      return members as Record<string, unknown>;
  } catch {}
  throw new ServiceAccountProblem(
    'The service account is no JSON object. Give the whole key file that the Google Cloud console made.',
  );
}

function clientEmail({ client_email: email }: Record<string, unknown>): string {
  if (typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new ServiceAccountProblem(
    'client_email is missing or no address. Give the whole key file of a service account.',
  );
}

function privateKey({ private_key: pem }: Record<string, unknown>): KeyObject {
  if (typeof pem !== 'string' || pem === '')
    throw new ServiceAccountProblem('private_key is missing. Give the whole key file of a service account.');
  const key = readKey(pem);
  if (key === null) {
    throw new ServiceAccountProblem(
      'private_key is no unencrypted PEM key. Give the key file as it was made, or its path.',
    );
  }
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2_048)
    throw new ServiceAccountProblem('private_key must be an RSA key of 2048 bits or more.');
  return key;
}

function readKey(pem: string): KeyObject | null {
  try {
    // Settings and shells often turn a line break into a backslash and an n.
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    return null;
  }
}

/** Plain http is let through to this machine only: a simulated Google. */
function tokenUri({ token_uri: uri = googlesTokenUri }: Record<string, unknown>): string {
  if (typeof uri === 'string' && URL.canParse(uri) && isSafeUrl(uri)) return uri;
  throw new ServiceAccountProblem(`token_uri must be an https:// address, usually ${googlesTokenUri}.`);
}

/**
 * The service account of GOOGLE_SERVICE_ACCOUNT: the JSON of its key file, or a path to it. Raises
 * `ServiceAccountProblem`, whose message names the setting, says what to do, and never quotes the key.
 */
export function loadServiceAccount(setting: string): ServiceAccount {
  try {
    return parseServiceAccount(setting.trimStart().startsWith('{') ? setting : readKeyFile(setting));
  } catch (error) {
    if (!(error instanceof ServiceAccountProblem)) throw error;
    throw new ServiceAccountProblem(`GOOGLE_SERVICE_ACCOUNT: ${error.message}`);
  }
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ServiceAccountProblem(
      `the file "${path.slice(0, 200)}" cannot be read (${code}). Give the path of the JSON key file, or its text.`,
    );
  }
}
