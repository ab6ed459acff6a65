import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { throwAwayAccount } from '../../../tools/fakes/google-account.ts';
import { parseServiceAccount, ServiceAccountProblem } from './service-account.ts';

const account = throwAwayAccount('https://oauth2.googleapis.com/token');
const file: Record<string, string> = JSON.parse(account.json);

function parse(change: Record<string, unknown>) {
  return parseServiceAccount(JSON.stringify({ ...file, ...change }));
}

function pem(kind: 'ec' | 'short'): string {
  const { privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 1_024 });
  return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

describe('parseServiceAccount', () => {
  it('reads a key file', () => {
    const { clientEmail, privateKey, privateKeyId, tokenUri } = parseServiceAccount(account.json);
    assert.equal(clientEmail, account.clientEmail);
    assert.equal(privateKey.asymmetricKeyType, 'rsa');
    assert.equal(privateKeyId, file.private_key_id);
    assert.equal(tokenUri, 'https://oauth2.googleapis.com/token');
  });

  it('does without what it need not know', () => {
    const { tokenUri, privateKeyId } = parse({
      token_uri: undefined,
      private_key_id: undefined,
      type: undefined,
    });
    assert.equal(tokenUri, 'https://oauth2.googleapis.com/token');
    assert.equal(privateKeyId, null);
  });

  it('understands a key whose line breaks were escaped twice', () => {
    const privateKey = String(file.private_key).replaceAll('\n', '\\n');
    assert.equal(parse({ private_key: privateKey }).privateKey.asymmetricKeyType, 'rsa');
  });

  it('takes a token address on this machine, and no other without https', () => {
    assert.equal(parse({ token_uri: 'http://127.0.0.1:8800/token' }).tokenUri, 'http://127.0.0.1:8800/token');
    for (const uri of ['http://example.com/token', 'http://127.0.0.1.example.com/', 'ftp://x', 'https://', 7])
      assert.throws(() => parse({ token_uri: uri }), /^ServiceAccountProblem: token_uri must be/);
  });

  it('says which member is wrong, and never quotes the key', () => {
    const secret = 'MIIEvgIBADANBgkqhkiG9w0BAQEFAASC';
    const wrong: [() => unknown, RegExp][] = [
      [() => parseServiceAccount('/etc/key.json'), /no JSON object/],
      [() => parseServiceAccount('[]'), /no JSON object/],
      [() => parseServiceAccount('null'), /no JSON object/],
      [() => parse({ type: 'authorized_user' }), /type is not "service_account"/],
      [() => parse({ client_email: undefined }), /client_email/],
      [() => parse({ client_email: 'me' }), /client_email/],
      [() => parse({ private_key: undefined }), /private_key is missing/],
      [() => parse({ private_key: { secret } }), /private_key is missing/],
      [
        () => parse({ private_key: `-----BEGIN PRIVATE KEY-----\n${secret}\n` }),
        /private_key is no unencrypted PEM/,
      ],
      [() => parse({ private_key: pem('ec') }), /RSA key of 2048 bits/],
      [() => parse({ private_key: pem('short') }), /RSA key of 2048 bits/],
    ];
    for (const [act, message] of wrong) {
      assert.throws(act, (error) => {
        assert.ok(error instanceof ServiceAccountProblem);
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, new RegExp(secret));
        return true;
      });
    }
  });
});
