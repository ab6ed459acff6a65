import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mailbox } from '../tools/fakes/mailbox.ts';
import { inParallel, makePass, tally } from './factories.ts';
import { startTestApp } from './harness.ts';
import { ServiceProcess } from './service-process.ts';
import { until } from './wallets.ts';

const people = 120;
const kills = 4;

test(`a worker killed ${kills} times while it sends ${people} mails: no person is mailed twice, and the answer says who was perhaps mailed`, async () => {
  const mailbox = await Mailbox.start();
  after(() => mailbox.close());
  const app = await startTestApp({ WORKERS: 'off' });
  const { client } = await app.newWorkspace();
  const { passId } = await makePass(client);
  const emails = Array.from({ length: people }, (_, n) => `person-${n}@example.com`);
  const replies = await inParallel(people, (n) =>
    client.post(`/passes/${passId}/invites`, { email: emails[n] }),
  );
  assert.deepEqual(tally(replies.map(({ body }) => body.status)), { queued: people });

  const worker = new ServiceProcess(
    0,
    {
      DATABASE_URL: app.databaseUrl,
      DATA_DIR: app.config.dataDir,
      PUBLIC_URL: app.config.publicUrl,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'cards@shop.example',
      MAIL_PER_MINUTE: '60000',
    },
    ['work'],
  );
  after(() => worker.end('SIGKILL'));
  const statuses = async () =>
    tally((await app.sql('select status from invites')).map(({ status }) => status));
  // One is never answered: it is in flight for certain when the worker dies.
  const [unlucky = ''] = emails;
  mailbox.script = (stage, address) => (stage === 'data' && address === unlucky ? 'hang' : undefined);
  mailbox.delayMs = 60;

  let inFlight = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const before = mailbox.arrivals.length;
    worker.launch();
    await until('some mails have left', () => mailbox.arrivals.length >= before + 15, 30_000);
    await worker.end('SIGKILL');
    inFlight = Math.max(inFlight, (await statuses()).sending ?? 0);
    // What the dead worker had taken, and not begun to send, waits for the end of its lease.
    await app.sql("update invites set due_at = now() where status = 'queued'");
  }
  assert.ok(inFlight > 1, 'mails were on their way when it died');
  assert.ok((await statuses()).queued, 'not all were sent yet');

  // An invitation under way is not touched before its time has passed; then it counts as lost.
  const [held] = await app.sql(
    "select count(*)::int as mails from invites where status = 'sending' and due_at > now()",
  );
  assert.ok(held?.mails > 1);
  await app.sql("update invites set due_at = now() where status = 'sending'");
  worker.launch();
  const isOver = async () => {
    const { sent = 0, unknown = 0 } = await statuses();
    return sent + unknown === people;
  };
  await until('all is settled', isOver, 60_000);
  await sleep(1_500);
  await worker.end('SIGTERM');

  const rows = await app.sql('select email, status, problem from invites order by email');
  const arrivals = tally(mailbox.arrivals);
  for (const { email, status, problem } of rows) {
    const count = arrivals[email] ?? 0;
    assert.ok(count <= 1, `${email} was mailed ${count} times`);
    if (status === 'sent') assert.equal(count, 1, email);
    else assert.equal(problem, 'worker_lost');
  }
  const { unknown = 0 } = tally(rows.map(({ status }) => status));
  assert.ok(unknown >= 2 && unknown <= kills * 6, `${unknown} are unknown`);
  assert.equal(rows.find(({ email }) => email === unlucky)?.status, 'unknown');
});
