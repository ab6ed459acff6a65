import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApnsPool } from './apns-pool.client.ts';
import type { Apns } from './apns-push.ts';
import type { SigningIdentity } from './certificates/certificates.ts';
import {
  leaf,
  leafKeys,
  makeLeaf,
  passTypeIdentifier,
  teamIdentifier,
  wwdr,
} from './certificates/signing.fixture.ts';

/** Who has certificates, and what is open for them. */
function counted() {
  const open: string[] = [];
  const connect = ({ certificate }: SigningIdentity): Apns => {
    open.push(certificate.fingerprint256);
    return {
      pausedUntil: null,
      push: async () => ({ kind: 'later', reason: 'Closed', afterMs: 1 }),
      async close() {
        open.splice(open.indexOf(certificate.fingerprint256), 1);
      },
    };
  };
  return { open, connect };
}

function identity(certificate = makeLeaf()): SigningIdentity {
  return {
    passTypeIdentifier,
    teamIdentifier,
    organizationName: null,
    certificate,
    privateKey: leafKeys.privateKey,
    wwdr,
    root: null,
    development: true,
    nfc: false,
  };
}

describe('the clients of many certificates', () => {
  it('are made once for each certificate, and closed together', async () => {
    const { open, connect } = counted();
    const pool = createApnsPool({ connect });
    const renewed = makeLeaf();
    assert.equal(pool.of(identity(leaf)), pool.of(identity(leaf)));
    assert.notEqual(pool.of(identity(renewed)), pool.of(identity(leaf)));
    assert.deepEqual(open, [leaf.fingerprint256, renewed.fingerprint256]);
    await pool.close();
    assert.deepEqual(open, []);
  });

  it('are no more than so many: who was idle longest makes room', async () => {
    const { open, connect } = counted();
    const pool = createApnsPool({ connect, most: 2 });
    const [one, two, three] = [identity(), identity(), identity()];
    for (const each of [one, two, one, three]) pool.of(each);
    assert.deepEqual(open, [one.certificate.fingerprint256, three.certificate.fingerprint256]);
    await pool.close();
  });

  it('are closed when they are no longer used', async () => {
    const { open, connect } = counted();
    const pool = createApnsPool({ connect, idleMs: 20 });
    pool.of(identity());
    while (open.length > 0) await sleep(5);
    await pool.close();
  });
});
