import type { Logger } from 'pino';
import { isCitus } from '../kit/citus/citus.ts';
import type { Database } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import type { Condition, Due } from './due.sql.ts';
import {
  claimFullScan,
  firstDue,
  isAnyNoted,
  listDueWorkspaces,
  listNotes,
  type Note,
  rescheduleNotes,
  upsertNotes,
} from './due-workspaces.sql.ts';

/**
 * In which workspaces something is due, on a cluster: rows live on many nodes there, and to ask all of them for each queue,
 * four times a second, would cost more than the work. A process that leaves something to a job notes the workspace, and workers
 * look in those that are noted. What was not noted, since its process was killed or since it falls due by the clock, is
 * found by a look at all workspaces, once in a while.
 */
export interface DueWorkspaces<Job extends string = string> {
  /** A commit has left something for a job: that is noted soon, and the job of this process woken. */
  note(job: Job, workspaceId: string): void;
  /** Whether a workspace is noted for the job, as a condition. */
  isAnyNoted(job: Job, now: Date): Condition;
  /** Up to `most` rows of the workspaces that are noted for the job, those that waited longest first. */
  find<Row>(job: Job, now: Date, most: number, find: FindWithin<Row>): Promise<Row[]>;
  /** After a turn of the job: says when to look again where it has looked. */
  settle(job: Job, queues: readonly Due[], now: Date): Promise<void>;
  /** Notes all workspaces with something due, now or shortly, unless a process has done so a moment ago. */
  noteAll(queues: readonly (readonly [job: Job, queue: Due])[], now: Date): Promise<void>;
  /** Writes what is left to be noted. */
  close(): Promise<void>;
}

/** Finds up to `most` rows where the condition holds, which names the columns of one table. */
export type FindWithin<Row> = (within: Sql, most: number) => Promise<Row[]>;

/** The database in which something is due. */
export interface DueApp {
  readonly database: Database;
  /** On a cluster: in which workspaces; null where one statement looks at all of them. */
  readonly dueWorkspaces: DueWorkspaces | null;
}

/** The rows that `find` finds to be due for a job: anywhere in one statement, or on a cluster in one workspace after the other. */
export async function findDueRows<Row>(
  app: DueApp,
  job: string | undefined,
  { now, most }: { readonly now: Date; readonly most: number },
  find: FindWithin<Row>,
): Promise<Row[]> {
  if (app.dueWorkspaces === null || job === undefined) return find(sql`true`, most);
  return app.dueWorkspaces.find(job, now, most, find);
}

interface Options<Job extends string> {
  readonly database: Database;
  now(): Date;
  readonly log: Pick<Logger, 'warn'>;
  wake(job: Job): void;
}

/** A process writes its notes no more often than this. */
const writeMs = 250;
/** A turn looks in so many workspaces. */
const workspacesPerTurn = 50;
/** How often all workspaces are looked through, and how far ahead. A look takes this share of the time at most. */
const everywhere = { everyMs: 10_000, aheadMs: 15_000, share: 0.05 };

/** On a cluster; null on a single PostgreSQL. */
export async function openDueWorkspaces<Job extends string>(
  options: Options<Job>,
): Promise<DueWorkspaces<Job> | null> {
  return (await isCitus(options.database.pool)) ? createDueWorkspaces(options) : null;
}

/** Keeps the notes in `due_workspaces`, a table of the coordinator. */
export function createDueWorkspaces<Job extends string>(options: Options<Job>): DueWorkspaces<Job> {
  const { database } = options;
  const writer = createWriter(options);
  /** Where turns under way have looked, by their jobs. */
  const looked = new Map<string, Map<string, Note>>();

  return {
    note: writer.add,
    isAnyNoted,
    async find(job, now, most, find) {
      const rows = [];
      for (const note of await listNotes(database.db, job, now, workspacesPerTurn)) {
        looked.set(job, (looked.get(job) ?? new Map<string, Note>()).set(note.workspaceId, note));
        rows.push(...(await find(sql`workspace_id = ${note.workspaceId}`, most - rows.length)));
        if (rows.length >= most) break;
      }
      return rows;
    },
    async settle(job, queues, now) {
      const notes = [...(looked.get(job)?.values() ?? [])];
      looked.delete(job);
      if (notes.length === 0) return;
      const next: (Note & { lookAt: Date | null })[] = [];
      for (const note of notes) next.push({ ...note, lookAt: await nextLook(note.workspaceId, queues, now) });
      await database.transaction((tx) => rescheduleNotes(tx, job, next));
    },
    async noteAll(queues, now) {
      const began = performance.now();
      const after = (ms: number) => new Date(now.getTime() + ms);
      if (!(await database.transaction((tx) => claimFullScan(tx, now, after(everywhere.everyMs))))) return;
      for (const [job, queue] of queues) {
        const found = await listDueWorkspaces(database.db, queue, after(everywhere.aheadMs));
        const notes = found.map(({ workspaceId, dueAt }) => ({
          job,
          workspaceId,
          lookAt: lookAt(queue, dueAt, now),
        }));
        await database.transaction((tx) => upsertNotes(tx, notes));
      }
      const restMs = (performance.now() - began) / everywhere.share;
      if (restMs > everywhere.everyMs)
        await database.transaction((tx) => claimFullScan(tx, after(everywhere.everyMs), after(restMs)));
    },
    close: writer.close,
  };

  /** Null: nothing falls due there before all workspaces are looked through again. */
  async function nextLook(workspaceId: string, queues: readonly Due[], now: Date): Promise<Date | null> {
    const horizon = new Date(now.getTime() + everywhere.aheadMs);
    const moments: Date[] = [];
    for (const queue of queues) {
      const first = await firstDue(database.db, queue, workspaceId, horizon);
      if (first !== undefined) moments.push(lookAt(queue, first, now));
    }
    return moments.reduce<Date | null>(
      (least, each) => (least === null || each < least ? each : least),
      null,
    );
  }
}

/** What is behind waits behind those that were noted before. */
function lookAt({ lateMs = 0 }: Due, dueAt: Date, now: Date): Date {
  return new Date(Math.max(dueAt.getTime() + lateMs, now.getTime()));
}

/** Writes notes of a process: the first at once, those that come within a moment together. */
function createWriter<Job extends string>({ database, now, log, wake }: Options<Job>) {
  let waiting = new Map<string, { readonly job: Job; readonly workspaceId: string }>();
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let wroteAt = Number.NEGATIVE_INFINITY;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const notes = waiting;
    if (notes.size === 0) return;
    waiting = new Map();
    wroteAt = performance.now();
    const lookAt = now();
    try {
      await database.transaction((tx) =>
        upsertNotes(
          tx,
          [...notes.values()].map((note) => ({ ...note, lookAt })),
        ),
      );
      for (const job of new Set([...notes.values()].map(({ job }) => job))) wake(job);
    } catch (error) {
      // The look at all workspaces finds what they were to note.
      log.warn({ err: error }, 'what is due was not noted');
    }
  }

  function begin(): Promise<void> {
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  return {
    add(job: Job, workspaceId: string): void {
      waiting.set(`${job} ${workspaceId}`, { job, workspaceId });
      if (timer !== null || isClosed) return;
      timer = setTimeout(begin, Math.max(0, wroteAt + writeMs - performance.now()));
    },
    async close(): Promise<void> {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await begin();
    },
  };
}
