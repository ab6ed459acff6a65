import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { PublicCtx } from '../../src/context.ts';
import { pushDevices } from '../../src/delivery/apple/push-devices.job.ts';
import { flushSkipped } from '../../src/delivery/flush-skipped.job.ts';
import { giveUpPushes } from '../../src/delivery/give-up-pushes.job.ts';
import { googleSettings } from '../../src/delivery/google/google.fixture.ts';
import { patchObjects } from '../../src/delivery/google/patch-objects.job.ts';
import { walkRollouts } from '../../src/delivery/walk-rollouts.job.ts';
import { pushWebCards } from '../../src/delivery/web/push-web-cards.job.ts';
import { sendInvites } from '../../src/invitations/send-invites.job.ts';
import { processStoreWebhooks } from '../../src/orders/from-stores/process-store-webhooks.job.ts';
import { clock } from '../../src/stores/stores.fixture.ts';
import { createVapid } from '../../src/wallet/web/vapid.ts';
import { startGoogle } from '../../tools/fakes/google.ts';
import { type PushAnswer, PushService } from '../../tools/fakes/push-service.ts';
import { createTestDatabase, startTestApp, type TestApp } from '../harness.ts';
import { startDevelopmentApns } from '../wallets.ts';
import { addCards, addInvites, addWebhooks, changeDesign, openQueueShop, type QueueShop } from './queues.ts';
import { described, type Planning, prepareWatched, type Reading, rowsOf, Watch } from './reading.ts';

/*
 * Turns of the background work on tables that have never been analysed: a rollout to all wallets of a few cards, then of
 * thousands, and as many invitations and webhooks; with plans made for each statement, and with those kept since the tables
 * were empty that the program keeps. Counted are the rows that a turn reads for each one that it takes, however many others are due.
 */
const few = 400;
const many = 4_000;
/** A row is found, held, changed and looked up where others name it. */
const mostRows = 60;
/** Reads of each row of a small table, one a round. */
const tolerance = 3;

const plannings: Readonly<Record<string, Planning>> = {
  'planned anew for each statement': { named: 'none', cacheMode: 'auto' },
  'kept since the tables were empty where the program keeps them': {
    named: 'as sent',
    cacheMode: 'force_generic_plan',
  },
};
const minuteMs = 60_000;

const encryptionKey = Buffer.alloc(32, 7);
let now = () => new Date();
const apns = await startDevelopmentApns();
const google = await startGoogle({ now: () => now() });
after(() => google.close());
const { publicKey } = createVapid({ encryptionKey, contact: '', now: () => new Date() });
const browsers = await PushService.start({ publicKey, now: () => now() });
after(() => browsers.close());
setDefaultCACertificates([...getCACertificates(), browsers.authority.certificate.toString()]);

interface Measured {
  readonly app: TestApp;
  readonly atFirst: ReadonlyMap<string, Stage>;
  readonly grown: ReadonlyMap<string, Stage>;
}

/** What turns read among a few rows that are due, and among many. */
async function measure(planning: Planning): Promise<Measured> {
  const url = await createTestDatabase();
  await prepareWatched(url, planning);
  const watch = new Watch(url, planning);
  const app = await startTestApp({
    ...googleSettings(google),
    DATABASE_URL: url,
    WORKERS: 'off',
    APNS_URL: apns.url,
    ENCRYPTION_KEY: encryptionKey.toString('hex'),
    WEB_PUSH_HOSTS: browsers.host,
    MAIL_PER_MINUTE: '600000',
    ROLLOUT_DEVICES_PER_SECOND: '1000000',
  });
  now = app.running.app.now;
  clock.now = now;
  // One connection has all plans, whatever happens at the same moment.
  app.running.app.database.pool.options.max = 1;
  const shops = { rich: await openQueueShop(app, 1_000_000), poor: await openQueueShop(app, 0) };
  const work = new Work(app, watch, shops);
  // Five times a plan is made for the values, then PostgreSQL may keep one that would do for any.
  for (let round = 0; round < 7; round++) await work.round(20);
  const atFirst = await work.round(few);
  const grown = await work.round(many);
  watch.end();
  return { app, atFirst, grown };
}

/** Some turns of a job, and how many rows they have taken. */
interface Stage {
  readonly taken: number;
  readonly readings: readonly Reading[];
}

/** Rows that are due, by what is in the stage. */
const due = (table: string) => `select count(*)::int as n from ${table} where due_at <= $1`;
const owed =
  'select coalesce(sum(apple::int + google::int + web::int), 0)::int as n from pushes where created_at <= $1';
const skipped = 'select count(*)::int as n from pushes where skipped_at <= $1';

/** The background work of two shops, one of which has no credits. */
class Work {
  readonly #app: TestApp;
  readonly #ctx: PublicCtx;
  readonly #watch: Watch;
  readonly #rich: QueueShop;
  readonly #poor: QueueShop;

  constructor(app: TestApp, watch: Watch, shops: { rich: QueueShop; poor: QueueShop }) {
    this.#app = app;
    this.#ctx = { app: app.running.app, requestId: 'test' };
    this.#watch = watch;
    this.#rich = shops.rich;
    this.#poor = shops.poor;
  }

  /** Adds this many rows of everything, and lets each job have some turns while most of it is still due. */
  async round(count: number): Promise<Map<string, Stage>> {
    const shops = [this.#rich, this.#poor];
    for (const shop of shops) await addCards(this.#app, shop, count, browsers.host);
    await addInvites(this.#app, this.#rich, count);
    await addWebhooks(this.#app, this.#rich, count);
    for (const shop of shops) await changeDesign(shop);
    const stages = new Map<string, Stage>();
    stages.set('a rollout', await this.#walk(shops));
    this.#app.advance(minuteMs);
    const turn = async (name: string, left: string, job: (ctx: PublicCtx) => Promise<boolean>, turns = 1) => {
      stages.set(name, await this.#turns(left, job, turns));
      this.#app.advance(20 * minuteMs);
    };
    const quarter = Math.ceil(count / 8);
    apns.script({ status: 429, reason: 'TooManyRequests' }, { times: quarter });
    apns.script({ status: 400, reason: 'BadExpirationDate' }, { times: quarter });
    await turn(
      'devices, of which Apple takes some later and some not at all',
      due('apple_devices'),
      pushDevices,
    );
    apns.unscript();
    await turn('devices', due('apple_devices'), pushDevices);
    await turn('objects at Google', due('google_objects'), patchObjects, 2);
    this.#answerWith({ status: 503 });
    await turn('web cards whose pushes are taken later', due('web_cards'), pushWebCards);
    this.#answerWith();
    await turn('web cards', due('web_cards'), pushWebCards);
    await turn('invitations', due('invites'), sendInvites);
    await addInvites(this.#app, this.#rich, count, 'sending');
    await turn('invitations, and those whose worker was lost', due('invites'), sendInvites);
    await turn('webhooks', due('store_webhooks'), processStoreWebhooks);
    await this.#topUp(count);
    await turn('skipped pushes that a top-up pays for', skipped, flushSkipped);
    this.#app.advance(8 * 24 * 60 * minuteMs);
    await turn('pushes that no worker has taken for a week', owed, giveUpPushes);
    return stages;
  }

  async #walk(shops: readonly QueueShop[]): Promise<Stage> {
    const cards = shops.reduce((sum, { counts }) => sum + counts.cards, 0);
    const readings = await this.#watch.during(async () => {
      while (await walkRollouts(this.#ctx)) this.#app.advance(1_000);
    });
    const open = await this.#app.sql("select from rollouts where stage <> 'finished'");
    assert.equal(open.length, 0);
    return { taken: cards, readings };
  }

  async #turns(left: string, job: (ctx: PublicCtx) => Promise<boolean>, turns: number): Promise<Stage> {
    const before = await this.#count(left);
    const readings = await this.#watch.during(async () => {
      for (let n = 0; n < turns; n++) await job(this.#ctx);
    });
    const taken = before - (await this.#count(left));
    return { taken, readings };
  }

  async #count(text: string): Promise<number> {
    const [row] = await this.#app.sql<{ n: number }>(text, [now()]);
    return row?.n ?? 0;
  }

  /** What browsers' push services say to each card's next push; without an answer they take it. */
  #answerWith(...answers: readonly PushAnswer[]): void {
    for (let n = 0; n < this.#rich.counts.cards; n++)
      browsers.answer(browsers.endpoint(String(n)), ...answers);
  }

  async #topUp(amount: number): Promise<void> {
    const path = `/operator/workspaces/${this.#poor.workspaceId}/credits`;
    const { status, text } = await this.#app.operator.post(path, { amount, externalRef: randomUUID() });
    assert.ok(status < 300, text);
  }
}

// One after the other, and before the first test: they share wallets and their clock.
const measured: [title: string, measured: Measured][] = [];
for (const [title, planning] of Object.entries(plannings)) measured.push([title, await measure(planning)]);

for (const [title, { app, atFirst, grown }] of measured) {
  describe(`without statistics, plans ${title}`, () => {
    it('no table has statistics', async () => {
      // There are enough migrations for PostgreSQL to analyse their list by itself.
      const analysed = await app.sql(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and reltuples >= 0 and relname <> 'schema_migrations'",
      );
      assert.deepEqual(analysed, []);
    });

    for (const [name, { taken, readings }] of grown) {
      it(`${name}: reads what it takes`, (t) => {
        const early = atFirst.get(name);
        assert.ok(early !== undefined);
        const before = rowsOf(early.readings) / early.taken;
        const each = rowsOf(readings) / taken;
        t.diagnostic(`${early.taken}: ${before.toFixed(1)}, ${taken}: ${each.toFixed(1)}`);
        assert.ok(
          each <= Math.min(mostRows, before + tolerance),
          `${before} rows for each of ${early.taken}, ${each} of ${taken}:\n${described(readings)}`,
        );
      });
    }
  });
}
