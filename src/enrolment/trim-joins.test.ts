import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { complete, makeJoinPass, sendForm, stranger } from './join.fixture.ts';
import { trimJoins } from './trim-joins.job.ts';

const app = await startTestApp({ TRUST_PROXY: '127.0.0.1/32', WORKERS: 'off' });
const day = 86_400_000;

it('unproven enrolments go after a day, and counts after three', async () => {
  const { client } = await app.newWorkspace();
  const { passId } = await makeJoinPass(client, { limitPerDay: 5 });
  const ctx = { app: app.running.app, requestId: 'test' };
  const left = async () => {
    const [row] = await app.sql(
      'select (select count(*)::int from join_proofs) as proofs, (select count(*)::int from join_days) as days',
    );
    return [row?.proofs, row?.days];
  };
  await sendForm(stranger(app), passId, complete);
  await sendForm(stranger(app), passId, { ...complete, email: 'ada@example.com' });
  assert.equal(await trimJoins(ctx), false);
  assert.deepEqual(await left(), [1, 1]);
  app.advance(day + 1_000);
  await trimJoins(ctx);
  assert.deepEqual(await left(), [0, 1]);
  app.advance(4 * day);
  await trimJoins(ctx);
  assert.deepEqual(await left(), [0, 0]);
});
