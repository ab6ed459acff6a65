import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createCallbackSigner } from '../../../tools/fakes/google-callbacks.ts';
import { readRootKeys, verifyCallback } from './callback.ts';

const issuerId = '3388000000000000001';
const now = new Date('2026-08-01T12:00:00Z');
const day = 86_400_000;
const signer = createCallbackSigner(issuerId, () => now);
const plan = { classId: `${issuerId}.pass`, objectId: `${issuerId}.card`, event: 'save' } as const;

function verify(body: unknown, change: Partial<Parameters<typeof verifyCallback>[1]> = {}) {
  return verifyCallback(body, { issuerId, keys: readRootKeys(signer.keyDocument()), now, ...change });
}

function reason(body: unknown, change: Partial<Parameters<typeof verifyCallback>[1]> = {}): string {
  const verdict = verify(body, change);
  assert.equal(verdict.kind, 'refused');
  return verdict.kind === 'refused' ? verdict.reason : '';
}

describe('verifyCallback', () => {
  it('believes what Google signed', () => {
    for (const event of ['save', 'del'] as const) {
      assert.deepEqual(verify(signer.sign({ ...plan, event, nonce: 'n-1' })), {
        kind: 'genuine',
        event: { objectId: plan.objectId, event, nonce: 'n-1', expiresAt: new Date(now.getTime() + day) },
      });
    }
  });

  it('believes it whatever is in it', () => {
    const nonce = 'ש\u2028"\\😀';
    const verdict = verify(signer.sign({ ...plan, nonce }));
    assert.equal(verdict.kind === 'genuine' && verdict.event.nonce, nonce);
  });

  it('refuses what is meant for another issuer, or comes from another sender', () => {
    assert.match(reason(signer.sign({ ...plan, issuerId: '42' })), /another issuer/);
    assert.match(reason(signer.sign(plan), { issuerId: '42' }), /another issuer/);
    assert.match(reason(signer.sign(plan), { senderId: 'GoogleWalletPasses' }), /no current root key/);
  });

  it('refuses what is out of date', () => {
    assert.match(reason(signer.sign({ ...plan, isExpired: true })), /message has expired/);
    assert.match(reason(signer.sign({ ...plan, hasExpiredKey: true })), /key has expired/);
    const late = new Date(now.getTime() + day);
    assert.match(reason(signer.sign(plan), { now: late }), /key has expired/);
    const keys = readRootKeys(signer.keyDocument()).map((key) => ({ ...key, expiresAt: now }));
    assert.match(reason(signer.sign(plan), { keys }), /no current root key/);
  });

  it('refuses a forgery, and says that a new key could have signed it', () => {
    const verdict = verify(signer.sign({ ...plan, isForged: true }));
    assert.deepEqual(verdict, {
      kind: 'refused',
      reason: 'no current root key signed its intermediate key',
      mayBeNewKey: true,
    });
    const wrongIssuer = verify(signer.sign({ ...plan, issuerId: '42' }));
    assert.equal(wrongIssuer.kind === 'refused' && wrongIssuer.mayBeNewKey, false);
  });

  it('refuses a genuine key under a forged message', () => {
    const genuine = signer.sign(plan);
    const forged = signer.sign({ ...plan, isForged: true });
    assert.match(reason({ ...genuine, signature: forged.signature }), /signature is wrong/);
    assert.match(
      reason({ ...forged, intermediateSigningKey: genuine.intermediateSigningKey }),
      /signature is wrong/,
    );
  });

  it('follows a change of keys', () => {
    const rotating = createCallbackSigner(issuerId, () => now);
    const before = readRootKeys(rotating.keyDocument());
    const old = rotating.sign(plan);
    rotating.rotate({ keepsOld: true });
    const between = readRootKeys(rotating.keyDocument());
    assert.equal(verify(old, { keys: between }).kind, 'genuine');
    assert.equal(verify(rotating.sign(plan), { keys: between }).kind, 'genuine');
    assert.equal(verify(rotating.sign(plan), { keys: before }).kind, 'refused');
    rotating.rotate();
    assert.equal(verify(old, { keys: readRootKeys(rotating.keyDocument()) }).kind, 'refused');
  });

  it('takes any one good signature of a root, among a few', () => {
    const genuine = signer.sign(plan);
    const { signedKey, signatures } = genuine.intermediateSigningKey;
    const other = signer.sign({ ...plan, isForged: true }).intermediateSigningKey.signatures;
    const withSignatures = (all: readonly unknown[]) => ({
      ...genuine,
      intermediateSigningKey: { signedKey, signatures: all },
    });
    assert.equal(verify(withSignatures([...other, ...signatures])).kind, 'genuine');
    assert.match(reason(withSignatures([...Array(10).fill(other[0]), ...signatures])), /form/);
    assert.match(reason(withSignatures([])), /no current root key/);
    assert.match(reason(withSignatures([...signatures, 7])), /form/);
    assert.match(reason(withSignatures([Buffer.from('no DER').toString('base64')])), /no current root key/);
  });

  it('refuses another protocol', () => {
    for (const protocolVersion of ['ECv1', 'ECv2', '', 'ecv2signingonly', 2, null])
      assert.equal(verify({ ...signer.sign(plan), protocolVersion }).kind, 'refused');
  });

  it('refuses each change of each character', () => {
    const text = JSON.stringify(signer.sign(plan));
    let tried = 0;
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
      const body = parsed(changed);
      if (body === undefined) continue;
      tried++;
      assert.equal(verify(body).kind, 'refused', `at ${at}: ${changed}`);
    }
    assert.ok(tried > text.length / 2, `${tried} of ${text.length} characters`);
  });

  it('answers whatever a stranger sends, and believes nothing else than what Google signed', () => {
    const genuine = signer.sign(plan);
    const parts = fc.constantFrom<unknown>(genuine, genuine.intermediateSigningKey, genuine.signature);
    const member = fc.oneof(fc.jsonValue(), parts, fc.constantFrom('ECv2SigningOnly', genuine.signedMessage));
    const key = fc.oneof(
      member,
      fc.record({ signedKey: member, signatures: fc.oneof(member, fc.array(member)) }),
    );
    const body = fc.record({
      signature: member,
      intermediateSigningKey: key,
      protocolVersion: fc.oneof(member, fc.constant('ECv2SigningOnly')),
      signedMessage: member,
    });
    fc.assert(
      fc.property(fc.oneof(body, fc.anything()), (sent) => {
        const verdict = verify(sent);
        if (verdict.kind === 'genuine') assert.deepEqual(verdict, verify(genuine));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses signed nonsense', () => {
    const signs = (change: (message: Record<string, unknown>) => unknown) =>
      signer.signText(JSON.stringify(change(JSON.parse(signer.sign(plan).signedMessage))));
    const changes: ((message: Record<string, unknown>) => unknown)[] = [
      () => null,
      () => 7,
      () => [],
      (message) => ({ ...message, classId: undefined }),
      (message) => ({ ...message, objectId: 7 }),
      (message) => ({ ...message, objectId: 'o'.repeat(1_001) }),
      (message) => ({ ...message, eventType: 'SAVE' }),
      (message) => ({ ...message, nonce: '' }),
      (message) => ({ ...message, expTimeMillis: 1e300 }),
      (message) => ({ ...message, expTimeMillis: 9_007_199_254_740_991 }),
      (message) => ({ ...message, expTimeMillis: '1e300' }),
      (message) => ({ ...message, expTimeMillis: {} }),
    ];
    for (const change of changes) assert.match(reason(signs(change)), /no report/);
    assert.match(reason(signer.signText('save')), /no report/);
    // Google writes the expiry as a number here, and as a text in its keys.
    assert.equal(
      verify(signs((message) => ({ ...message, expTimeMillis: String(message.expTimeMillis) }))).kind,
      'genuine',
    );
  });
});

describe('readRootKeys', () => {
  const [listed] = (signer.keyDocument() as { keys: Record<string, unknown>[] }).keys;

  it('reads the keys of its protocol', () => {
    const [key] = readRootKeys({ keys: [listed] });
    assert.deepEqual(key?.expiresAt, new Date(now.getTime() + 365 * day));
    assert.equal(key?.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  });

  it('leaves out what it cannot use', () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey;
    const unusable = [
      { ...listed, protocolVersion: 'ECv1' },
      { ...listed, keyValue: 'AAAA' },
      { ...listed, keyValue: `${listed?.keyValue} ` },
      { ...listed, keyValue: p384.export({ format: 'der', type: 'spki' }).toString('base64') },
      { ...listed, keyExpiration: 'soon' },
      { ...listed, keyExpiration: undefined },
      null,
      'key',
    ];
    assert.equal(readRootKeys({ keys: [...unusable, listed] }).length, 1);
    for (const document of [null, undefined, [], {}, { keys: {} }, { keys: 'x' }, 'keys'])
      assert.deepEqual(readRootKeys(document), []);
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
