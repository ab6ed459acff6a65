import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import pg from 'pg';
import { newSecret } from '../../src/kit/crypto/tokens.ts';
import { encodeId, newUuidV7 } from '../../src/kit/ids.ts';
import {
  addPasskey,
  makePerson,
  pairTill,
  sameOrigin,
  signIn,
  signInAs,
} from '../../src/sign-in/people.fixture.ts';
import { Authenticator } from '../../tools/fakes/authenticator.ts';
import { assertRefused, type Reply } from '../client.ts';
import { inParallel } from '../factories.ts';
import { startTestApp } from '../harness.ts';

/** Nothing else uses the database during the tests. */
const app = await startTestApp({ WORKERS: 'off', REQUEST_LOG: 'off' });
const { client } = await app.newWorkspace();
const unknownAddress = () => `${newUuidV7()}@example.com`;

/** The answer to a guess, and the work before it: keys derived from passwords, connections taken for statements. */
async function workOf(guess: () => Promise<Reply>) {
  const work = { derived: 0, taken: 0 };
  const hook = createHook({
    init(_id, type) {
      if (type === 'SCRYPTREQUEST') work.derived += 1;
    },
  });
  const count = () => {
    work.taken += 1;
  };
  const { pool } = app.running.app.database;
  pool.on('acquire', count);
  hook.enable();
  const { status, body } = await guess();
  hook.disable();
  pool.off('acquire', count);
  return { status, code: body.code, error: body.error, ...work };
}

/** Fails unless all guesses get the same answer after the same work, which is this much. */
async function assertAlike(guesses: readonly (() => Promise<Reply>)[], expected: object): Promise<void> {
  const answers = [];
  for (const guess of guesses) answers.push(await workOf(guess));
  assert.deepEqual(answers, Array(guesses.length).fill({ ...answers[0], ...expected }));
}

describe('a guess gets the same answer after the same work', () => {
  it('of a password: whether there is no person, none with a password, or it is wrong', async () => {
    const { email: without } = await makePerson(client, 'viewer');
    const { email, link } = await makePerson(client, 'owner');
    const { browser } = await signIn(app, link);
    assert.equal(
      (await browser.post('/sessions/current/password', { password: 'correct horse battery' })).status,
      204,
    );
    const guess = (address: string) => () =>
      app.anyone.post('/sessions', { email: address, password: 'not this one' }, { headers: sameOrigin });
    await assertAlike([unknownAddress(), without, email].map(guess), {
      status: 401,
      code: 'invalid_credentials',
      derived: 1,
      taken: 1,
    });
  });

  it('of a PIN: whether there is no person, none with a PIN, or it is wrong', async () => {
    const { till } = await pairTill(app, client);
    const { personId: without } = await makePerson(client, 'staff');
    const { personId } = await makePerson(client, 'staff');
    assert.equal((await client.patch(`/people/${personId}`, { pin: '2580' })).status, 200);
    const elsewhere = (await makePerson((await app.newWorkspace()).client, 'staff')).personId;
    const guess = (whom: string) => () => till.post('/sessions', { personId: whom, pin: '0000' });
    const whom = [encodeId('person', newUuidV7()), 'missing', elsewhere, without, personId];
    await assertAlike(whom.map(guess), { status: 401, code: 'invalid_credentials', derived: 1, taken: 2 });
  });

  it('of a link: whether it was used, is over, or never was', async () => {
    const { personId, link: used } = await makePerson(client, 'viewer');
    await signIn(app, used);
    const { link: over } = (await client.post(`/people/${personId}/links`)).body;
    app.advance(7 * 86_400_000);
    const guess = (link: string) => () => app.anyone.post('/sessions', { link }, { headers: sameOrigin });
    await assertAlike([used, over, newSecret('link_')].map(guess), {
      status: 401,
      code: 'invalid_link',
      derived: 0,
      taken: 1,
    });
  });

  it('of a passkey: whether it is unknown, or its signature is wrong', async () => {
    const { authenticator } = await addPasskey(app, await signInAs(app, 'viewer', client));
    const missing = new Authenticator(authenticator.origin);
    missing.create({ challenge: '', user: { id: 'bm9ib2R5' } });
    const options = (await app.anyone.get('/sessions/options')).body;
    const guess = (one: Authenticator) => () =>
      app.anyone.post('/sessions', one.sign(options, { isVerified: false }), { headers: sameOrigin });
    await assertAlike([missing, authenticator].map(guess), {
      status: 401,
      code: 'invalid_credentials',
      derived: 0,
      taken: 1,
    });
  });

  it('of an address that a link is asked for, and beyond the limit: the answer waits for nothing that is found', async () => {
    const { email } = await makePerson(client, 'viewer');
    const ask = (address: string) => app.anyone.post('/people/links', { email: address });
    const guess = (address: string) => app.anyone.post('/sessions', { email: address, password: 'x' });
    await inParallel(10, () => guess(email));
    const holder = new pg.Client({ connectionString: app.databaseUrl });
    await holder.connect();
    try {
      // Whatever looks for the person, or writes, waits until the answers have come.
      await holder.query('begin');
      await holder.query('lock table people, memberships, sign_in_links, audit_log in access exclusive mode');
      const answers = [];
      for (const address of [email, unknownAddress(), email, unknownAddress()])
        answers.push(await ask(address));
      assert.deepEqual(
        answers.map(({ status, text }) => [status, text]),
        Array(4).fill([202, answers[0]?.text]),
      );
      assertRefused(await guess(email), 'rate_limited');
    } finally {
      await holder.query('rollback');
      await holder.end();
    }
  });
});
