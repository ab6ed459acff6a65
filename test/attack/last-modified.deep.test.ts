import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Device, type LockedCard, passJsonOf, takeCard } from '../../src/delivery/apple/device.fixture.ts';
import { walkRollouts } from '../../src/delivery/walk-rollouts.job.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Client, Reply } from '../client.ts';
import { inParallel, makeCard } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { pick } from '../ledger/random.ts';
import { randomFor } from './seed.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { app: service } = app.running;
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000_000));
});

/** A moment of today, which certificates are made for. */
const start = Math.floor(Date.now() / 1_000) * 1_000 + 250;

/** A device that keeps the time of its copy of a card, and what the copy shows. */
interface Wallet {
  readonly device: Device;
  modified: string | undefined;
  shows: string;
  tag: string | undefined;
  /** Whether the card has changed since the device has asked for news. */
  hasNews: boolean;
}

/** A card in several wallets, and all that happens to it. */
class World {
  readonly wallets: Wallet[] = [];
  readonly #passId: string;
  readonly card: LockedCard;
  #changes = 0;

  private constructor(passId: string, card: LockedCard) {
    this.#passId = passId;
    this.card = card;
  }

  static async open(devices: number): Promise<World> {
    const program = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 }, earn: { perCurrencyUnit: 1 } };
    const { pass } = await makeProgram(client, program, {
      design: { fields: [{ key: 'tier', label: 'Tier', section: 'secondary' }] },
    });
    const card = await takeCard(app, await makeCard(client, pass.passId, { fields: { tier: 'new' } }));
    const world = new World(pass.passId, card);
    for (let at = 0; at < devices; at++) await world.#add();
    return world;
  }

  async #add(): Promise<void> {
    const wallet = { device: new Device(app), modified: undefined, shows: '', tag: undefined, hasNews: true };
    assert.equal((await wallet.device.register(this.card)).status, 201);
    this.wallets.push(wallet);
    await this.fetch(wallet);
    await this.askForNews(wallet);
  }

  /** Its own value, its points, or the design of its pass. */
  async change(kind: 'value' | 'points' | 'design'): Promise<void> {
    const { instanceId } = this.card;
    this.#changes += 1;
    const reply =
      kind === 'value'
        ? await client.patch(`/instances/${instanceId}/fields`, { fields: { tier: `${this.#changes}` } })
        : kind === 'points'
          ? await client.post('/loyalty/points', { passId: this.#passId, instanceId, points: 1 })
          : await client.patch(`/passes/${this.#passId}`, { details: `Design ${this.#changes}` });
    assert.equal(reply.status, 200, reply.text);
    while (await walkRollouts({ app: service, requestId: 'test' }));
    for (const wallet of this.wallets) wallet.hasNews = true;
  }

  async fetch(wallet: Wallet, newest?: string): Promise<Reply> {
    const reply = await wallet.device.fetch(this.card, wallet.modified);
    const modified = reply.headers.get('last-modified') ?? '';
    const ahead = Date.parse(modified) - service.now().getTime();
    assert.ok(ahead <= 1_000, `Last-Modified is ${ahead} ms ahead`);
    if (reply.status === 304) {
      assert.equal(wallet.shows, newest ?? (await this.newest()), 'a 304 hides a change');
    } else {
      assert.equal(reply.status, 200);
      Object.assign(wallet, { modified, shows: shownIn(reply) });
      assert.equal(wallet.shows, newest ?? (await this.newest()));
    }
    return reply;
  }

  async askForNews(wallet: Wallet): Promise<void> {
    const { status, body } = await wallet.device.list(wallet.tag);
    if (wallet.hasNews) assert.deepEqual([status, body?.serialNumbers], [200, [this.card.serialNumber]]);
    if (status === 200) wallet.tag = body.lastUpdated;
    wallet.hasNews = false;
  }

  /** What a file shows that is handed out to a device which has none. */
  async newest(): Promise<string> {
    return shownIn(await new Device(app).fetch(this.card));
  }
}

function shownIn({ body }: Reply): string {
  const { serialNumber: _, ...shown } = passJsonOf(body);
  return JSON.stringify(shown);
}

describe('Last-Modified', () => {
  it('hides no change and stays within a second of the clock, whatever changes, fetches and clocks do', async () => {
    const random = randomFor('last-modified');
    let at = start;
    for (let round = 0; round < 4; round++) {
      app.stopClock(at);
      const world = await World.open(3);
      for (let step = 0; step < 60; step++) {
        const chance = random();
        const wallet = pick(random, world.wallets);
        if (chance < 0.3) await world.change(pick(random, ['value', 'value', 'points', 'design']));
        else if (chance < 0.65) await world.fetch(wallet, random() < 0.7 ? await world.newest() : undefined);
        else if (chance < 0.8) await world.askForNews(wallet);
        else if (chance < 0.97) at += pick(random, [1, 50, 499, 750, 1_000, 3_000]);
        else at += pick(random, [-3_600_000, -1_000, 3_600_000]);
        app.stopClock(at);
      }
      for (const wallet of world.wallets) {
        await world.fetch(wallet);
        await world.askForNews(wallet);
      }
    }
  });

  it('is of this second after 546 changes that no device fetched', async () => {
    const at = start;
    app.stopClock(at);
    const world = await World.open(1);
    app.stopClock(at + 5_000);
    for (let change = 0; change < 546; change++) await world.change('value');
    const [wallet] = world.wallets;
    assert.ok(wallet !== undefined);
    const reply = await world.fetch(wallet);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('last-modified'), new Date(start + 5_000).toUTCString());
    assert.equal((await world.fetch(wallet)).status, 304);
  });

  it('is sent in order where many fetch while the card changes', async () => {
    app.stopClock(start);
    const world = await World.open(8);
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        world.change('value'),
        // Each sees the card before or after the change.
        ...world.wallets.map(async (wallet) => {
          const reply = await wallet.device.fetch(world.card, wallet.modified);
          if (reply.status !== 200) return;
          wallet.modified = reply.headers.get('last-modified') ?? '';
          wallet.shows = shownIn(reply);
        }),
      ]);
      const newest = await world.newest();
      await inParallel(world.wallets.length, (place) => world.fetch(world.wallets[place] as Wallet, newest));
    }
  });
});
