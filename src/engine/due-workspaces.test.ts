import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { startTestApp } from '../../test/harness.ts';
import { until } from '../../test/wallets.ts';
import { sql } from '../kit/db/sql.ts';
import { findTrue } from './due.sql.ts';
import { createDueWorkspaces, type DueWorkspaces } from './due-workspaces.ts';
import { leaseDue, type Queue } from './queue.sql.ts';

const app = await startTestApp({ WORKERS: 'off' });
const { database, log } = app.running.app;
await app.sql(`
  create table test_rows (
    workspace_id uuid not null, number bigint not null, due_at timestamptz, primary key (number, workspace_id)
  )`);

interface Waiting {
  readonly workspaceId: string;
  readonly number: number;
  readonly dueAt: Date | null;
}

const queue: Queue<Waiting> = {
  job: 'walk',
  table: 'testRows',
  part: 'workspaceId',
  key: { number: 'bigint' },
  due: 'dueAt',
  columns: sql`workspace_id, number, due_at`,
};
const [one, other] = ['1', '2'].map((n) => n.padStart(8, '0').concat('-0000-7000-8000-000000000000')) as [
  string,
  string,
];
const noon = Date.UTC(2027, 0, 31, 12);
/** A moment, in seconds from noon. */
const at = (seconds: number) => new Date(noon + seconds * 1_000);

let woken: string[];
let dueWorkspaces: DueWorkspaces;
const open = (now = at(10)) =>
  createDueWorkspaces({ database, now: () => now, log, wake: (job) => void woken.push(job) });
beforeEach(async () => {
  woken = [];
  dueWorkspaces = open();
  await app.sql('delete from test_rows');
  await app.sql('delete from due_workspaces');
});

/** Rows of a workspace, due at these seconds; their numbers are their places in the list. */
async function wait(workspaceId: string, ...seconds: number[]): Promise<void> {
  for (const [number, second] of seconds.entries())
    await app.sql('insert into test_rows values ($1, $2, $3)', [workspaceId, number, at(second)]);
}

/** Notes them, each in a write of its own, so that this is their order. */
async function note(...workspaceIds: string[]): Promise<void> {
  for (const [place, workspaceId] of workspaceIds.entries()) {
    const writer = open(at(place));
    writer.note('walk', workspaceId);
    await writer.close();
  }
}

/** Where the job is to look, and when, in seconds from noon. */
async function notes(): Promise<(readonly [string, number])[]> {
  const rows = await app.sql<{ workspace: string; at: Date }>(
    `select workspace_id as workspace, look_at as at from due_workspaces where job = 'walk' order by look_at`,
  );
  return rows.map(({ workspace, at }) => [workspace, (at.getTime() - noon) / 1_000]);
}

/** The rows that a turn takes at a moment, as workspace and number. */
async function take(seconds: number, most: number): Promise<(readonly [string, number])[]> {
  const claim = { now: at(seconds), until: at(seconds + 60), most };
  const rows = await leaseDue({ app: { database, dueWorkspaces }, queue }, claim);
  return rows.map(({ workspaceId, number }) => [workspaceId, Number(number)]);
}

const isNoted = async (seconds: number) =>
  (await findTrue(database.db, [['walk', dueWorkspaces.isAnyNoted('walk', at(seconds))]])).length === 1;

describe('what a commit has left to a job', () => {
  it('is noted once, however often that is repeated, and wakes the job afterwards', async () => {
    for (let time = 0; time < 100; time++) dueWorkspaces.note('walk', one);
    assert.deepEqual(woken, []);
    await until('the job is woken', () => woken.length > 0);
    assert.deepEqual(woken, ['walk']);
    assert.deepEqual(await notes(), [[one, 10]]);
    assert.equal(await isNoted(9), false);
    assert.equal(await isNoted(10), true);
  });

  it('is written before the process ends', async () => {
    dueWorkspaces.note('walk', one);
    dueWorkspaces.note('walk', other);
    await dueWorkspaces.close();
    assert.equal((await notes()).length, 2);
  });
});

describe('a turn', () => {
  it('takes what is due where it is noted, and nowhere else', async () => {
    await wait(one, 1, 2);
    await wait(other, 1);
    await note(one);
    assert.deepEqual(await take(10, 5), [
      [one, 0],
      [one, 1],
    ]);
  });

  it('takes it in the workspaces that have waited longest, up to as many as it may', async () => {
    await wait(one, 1, 2, 3);
    await wait(other, 1, 2, 3);
    await note(other, one);
    assert.deepEqual(await take(10, 4), [
      [other, 0],
      [other, 1],
      [other, 2],
      [one, 0],
    ]);
  });

  it('leaves a note for what it did not take, behind those of others', async () => {
    await wait(one, 1, 2, 3);
    await note(one, other);
    await take(20, 1);
    await dueWorkspaces.settle('walk', [queue], at(20));
    assert.deepEqual(await notes(), [
      [other, 1],
      [one, 20],
    ]);
  });

  it('leaves a note for what falls due soon', async () => {
    await wait(one, 30);
    await note(one);
    assert.deepEqual(await take(20, 5), []);
    await dueWorkspaces.settle('walk', [queue], at(20));
    assert.deepEqual(await notes(), [[one, 30]]);
  });

  it('leaves none where nothing falls due before all workspaces are looked through again', async () => {
    await wait(one, 1);
    await wait(other, 3_600);
    await note(one, other);
    await take(10, 5);
    await dueWorkspaces.settle('walk', [queue], at(10));
    assert.deepEqual(await notes(), []);
  });

  it('leaves the note of what has come while it was under way', async () => {
    await note(one);
    assert.deepEqual(await take(10, 5), []);
    await note(one);
    await dueWorkspaces.settle('walk', [queue], at(10));
    assert.equal((await notes()).length, 1);
  });

  it('whose workspace another worker has done with says all the same what is due next', async () => {
    await wait(one, 1);
    await note(one);
    await take(10, 5);
    await app.sql('delete from due_workspaces');
    await app.sql('update test_rows set due_at = $1', [at(15)]);
    await dueWorkspaces.settle('walk', [queue], at(11));
    assert.deepEqual(await notes(), [[one, 15]]);
  });
});

describe('the look at all workspaces', () => {
  it('notes where something is due, or falls due shortly', async () => {
    await wait(one, 1, 2);
    await wait(other, 22);
    await wait('00000003-0000-7000-8000-000000000000', 3_600);
    await dueWorkspaces.noteAll([['walk', queue]], at(10));
    assert.deepEqual(await notes(), [
      [one, 10],
      [other, 22],
    ]);
  });

  it('counts what is due a while after its moment from then on', async () => {
    await wait(one, 1);
    await wait(other, -3_590);
    await dueWorkspaces.noteAll([['walk', { ...queue, lateMs: 3_600_000 }]], at(10));
    assert.deepEqual(await notes(), [[other, 10]]);
  });

  it('is taken by one process at a time, and again after ten seconds', async () => {
    const look = (seconds: number) => open().noteAll([['walk', queue]], at(seconds));
    await look(10);
    await wait(one, 1);
    await Promise.all([look(10), look(19)]);
    assert.deepEqual(await notes(), []);
    await look(20);
    assert.deepEqual(await notes(), [[one, 20]]);
  });

  it('brings a note forward, and never back', async () => {
    await wait(one, 20);
    await note(one);
    await dueWorkspaces.noteAll([['walk', queue]], at(10));
    assert.deepEqual(await notes(), [[one, 0]]);
  });
});
