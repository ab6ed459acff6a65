import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Client, Json, Reply } from '../../test/client.ts';
import { makeCard } from '../../test/factories.ts';
import type { TestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { LedgerReader, type Snapshot } from '../../test/ledger/snapshot.ts';
import { until } from '../../test/wallets.ts';
import { decodeId } from '../kit/ids.ts';
import { makeProgram } from './account.fixture.ts';

export const coffee = { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } };
export const threeStamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 3 };

interface Settings {
  /** 1,000 by default. */
  readonly credits?: number;
  readonly design?: object;
  readonly launched?: boolean;
}

/** What names the card of a call; the till's own card where nothing does. */
interface Named {
  readonly identifier?: string;
  readonly instanceId?: string;
  readonly barcode?: string;
  readonly email?: string;
  readonly phone?: string;
}

/** Locks the row of a card. */
export function rowOf({ instanceId }: Json): string {
  return `select from instances where instance_id = '${decodeId('inst', instanceId)}' for update`;
}

/** The till of a shop with a workspace of its own, a program and a first card, whose holder is "ada". */
export class Till {
  readonly app: TestApp;
  readonly client: Client;
  readonly workspaceId: string;
  readonly pass: Json;
  readonly program: Json;
  readonly ada: Json;

  static async open(app: TestApp, program: object = coffee, settings: Settings = {}): Promise<Till> {
    const { credits = 1_000, ...rest } = settings;
    const { client, workspaceId } = await app.newWorkspace('pro', credits);
    const made = await makeProgram(client, program, rest);
    const ada = await makeCard(client, made.pass.passId, { holder: { identifier: 'ada' } });
    return new Till(app, client, workspaceId, made, ada);
  }

  private constructor(app: TestApp, client: Client, workspaceId: string, { pass, program }: Json, ada: Json) {
    this.app = app;
    this.client = client;
    this.workspaceId = workspaceId;
    this.pass = pass;
    this.program = program;
    this.ada = ada;
  }

  get passId(): string {
    return this.pass.passId;
  }

  card(identifier?: string, body: object = {}): Promise<Json> {
    return makeCard(this.client, this.passId, { ...(identifier && { holder: { identifier } }), ...body });
  }

  earn(points: unknown, more: object = {}, by = this.client): Promise<Reply> {
    return by.post('/loyalty/points', { ...this.#named(more), points });
  }

  redeem(more: object = {}, by = this.client): Promise<Reply> {
    return by.post('/loyalty/redeem', this.#named(more));
  }

  /** What GET /loyalty/rewards says, on one page. */
  rewards(named: Record<string, string> = { identifier: 'ada' }, by = this.client): Promise<Reply> {
    return by.get(`/loyalty/rewards?${new URLSearchParams({ passId: this.passId, ...named })}`);
  }

  adjust(points: unknown, more: object = {}, by = this.client): Promise<Reply> {
    return by.post('/loyalty/adjust', { reason: 'A slip at the till', ...this.#named(more), points });
  }

  preview(more: object, by = this.client): Promise<Reply> {
    return by.post('/loyalty/points/preview', this.#named(more));
  }

  reverse({ body }: Reply, more: object = {}, by = this.client): Promise<Reply> {
    return by.post(`/loyalty/entries/${body.entryId}/reverse`, more);
  }

  change(changes: object): Promise<Reply> {
    return this.client.patch(`/loyalty/programs/${this.program.programId}`, changes);
  }

  void({ instanceId } = this.ada): Promise<Reply> {
    return this.client.post(`/instances/${instanceId}/void`);
  }

  /** What GET /loyalty/holders says. */
  async holder(identifier = 'ada'): Promise<Json> {
    const path = `/loyalty/holders/${encodeURIComponent(identifier)}?passId=${this.passId}`;
    const { body, status, text } = await this.client.get(path);
    assert.equal(status, 200, text);
    return body;
  }

  /** The entries of a card, oldest first. */
  async entries({ instanceId } = this.ada): Promise<Json[]> {
    const found: Json[] = [];
    for (let cursor = ''; ; ) {
      const { body, text } = await this.client.get(
        `/loyalty/entries?instanceId=${instanceId}&limit=100${cursor}`,
      );
      assert.ok(body.data, text);
      found.push(...body.data);
      if (body.nextCursor === null) return found.reverse();
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
  }

  /** The same, as `earn +5 = 5`. */
  async story(card = this.ada): Promise<string[]> {
    return (await this.entries(card)).map(({ kind, points, balance }) => {
      return `${kind} ${points < 0 ? '' : '+'}${points} = ${balance}`;
    });
  }

  async summary(): Promise<Json> {
    return (await this.client.get(`/loyalty/programs/${this.program.programId}/summary`)).body;
  }

  /** What the audit log has of these operations, oldest first. */
  async audits(action: string): Promise<Json[]> {
    return this.app.sql(
      'select target, detail, actor from audit_log where workspace_id = $1 and action = $2 order by audit_id',
      [decodeId('ws', this.workspaceId), action],
    );
  }

  /** The database's own view of the workspace's ledger. */
  async snapshot(): Promise<Snapshot> {
    const reader = new LedgerReader(this.app.databaseUrl);
    await reader.open();
    try {
      return await reader.read(decodeId('ws', this.workspaceId) ?? '', {});
    } finally {
      await reader.close();
    }
  }

  /** Fails unless what is kept twice agrees, in the ledger and elsewhere. */
  async assertSound(): Promise<void> {
    assert.deepEqual((await this.snapshot()).broken, []);
    await assertInvariants(this.app.sql);
  }

  /** Fails when the calls change any row, although all of them are refused. */
  async assertUntouched(calls: () => Promise<unknown>): Promise<void> {
    const { digest } = await this.snapshot();
    await calls();
    assert.equal((await this.snapshot()).digest, digest, 'a refused call has changed something');
  }

  /** Sends calls of one operation so that they share a transaction: until all are there, a run of it is under way. */
  async together(operation: 'earn' | 'redeem', calls: readonly (() => Promise<Reply>)[]): Promise<Reply[]> {
    const card = await this.card();
    const named = { instanceId: card.instanceId };
    const busy = () => (operation === 'earn' ? this.earn(1, named) : this.redeem(named));
    return this.behindLock(rowOf(card), [busy], calls);
  }

  /** Takes a lock from outside, lets `first` queue behind it one by one, sends `calls`, and lets go: their answers. */
  async behindLock(
    lock: string,
    first: readonly (() => Promise<Reply>)[],
    calls: readonly (() => Promise<Reply>)[],
  ): Promise<Reply[]> {
    const queued: Promise<Reply>[] = [];
    const replies = await this.#locked(lock, async () => {
      for (const call of first) {
        queued.push(call());
        await this.waiters(queued.length);
      }
      const sent = calls.map((call) => call());
      await sleep(200);
      // Not awaited before the lock is gone.
      return { sent };
    });
    await Promise.all(queued);
    return Promise.all(replies.sent);
  }

  /** Does the work while another session keeps the card from changing. */
  whileLocked<T>(card: Json, work: () => Promise<T>): Promise<T> {
    return this.#locked(rowOf(card), work);
  }

  async #locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
    const bystander = new pg.Client({
      connectionString: this.app.databaseUrl,
      application_name: 'bystander',
    });
    await bystander.connect();
    try {
      await bystander.query(`begin; ${lock}`);
      return await work();
    } finally {
      await bystander.end();
    }
  }

  /** Until so many wait for what is held here; once there is one, no longer than a lock is waited for. */
  async waiters(count: number): Promise<void> {
    const waiting = async () => (await this.app.sql(thoseWhoWait)).length;
    await until('a transaction waits for the lock', async () => (await waiting()) > 0);
    for (let turn = 0; turn < 300 && (await waiting()) < count; turn++) await sleep(5);
  }

  #named(more: Named): object {
    const isNamed = ['identifier', 'instanceId', 'barcode', 'email', 'phone'].some((name) => name in more);
    return { passId: this.passId, ...(!isNamed && { instanceId: this.ada.instanceId }), ...more };
  }
}

/** Not those who wait for each other for a moment, as for the row of a key. */
const thoseWhoWait = `
  with recursive held as (
    select pid, false as waits from pg_stat_activity
    where datname = current_database() and application_name = 'bystander' and state = 'idle in transaction'
    union
    select a.pid, true from pg_stat_activity a join held on held.pid = any(pg_blocking_pids(a.pid))
    where a.datname = current_database()
  )
  select from held where waits`;
