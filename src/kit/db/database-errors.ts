import pg from 'pg';

/** The connection broke while COMMIT was under way: the change is there or it is not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during commit', { cause });
    this.name = 'CommitUnknown';
  }
}

/** Another transaction's commit came in between: this one starts again and then sees it. */
export class LostRace extends Error {}

/** What a statement casts to a number to raise a lost race: SQL has no expression that raises an error of one's own. */
export const lostRaceText = 'lost race';

/** The lost race that the server reports: a statement has raised it, or a claim is taken already. */
export function lostRaceIn(error: Error): LostRace | null {
  const isRaised = sqlState(error) === '22P02' && error.message.includes(`"${lostRaceText}"`);
  return isRaised || violationIn(error)?.table === 'operation_claims' ? new LostRace() : null;
}

/** It cannot be done in a transaction that tenants share: it is run again in one of its own. */
export class NeedsOwnTransaction extends Error {}

/** It did not get its turn in the time that a request may wait for one; nothing was begun. */
export class NoTurn extends Error {}

/** The five-character SQLSTATE of a database error, if it is one. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The constraint that a database error names, if it names one. */
export function violatedConstraint(error: unknown): string | undefined {
  return violationIn(error)?.constraint;
}

/**
 * Whether a failed transaction may be tried again by the client: it was rolled back for certain and the cause
 * passes by itself (lock, race, time-out, restart, disk, connections). A lost commit is not among them.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown) return false;
  if (error instanceof LostRace) return true;
  const state = sqlState(error);
  if (isHeldUp(error)) return true;
  if (error instanceof Error && state === 'XX000') return lostNode.test(error.message);
  if (state !== undefined) return /^(40|53|08|57|58|25P0[34])/.test(state);
  // No connection was made: no socket file, which is not any missing file, or no answer to the server's name.
  const wasNotReached =
    error instanceof Error &&
    'syscall' in error &&
    ['connect', 'getaddrinfo'].includes(String(error.syscall));
  return (
    wasNotReached ||
    (error instanceof Error &&
      connectionTrouble.test(`${error.message} ${'code' in error ? error.code : ''}`))
  );
}

/** Whether a disk has no room for what was to be written: the database's, or that of our temporary files. */
export function isOutOfRoom(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(code);
}

/** Whether a connection, a turn or a lock did not come for as long as a request may wait for it. */
export function isHeldUp(error: unknown): boolean {
  if (error instanceof NoTurn || sqlState(error) === '55P03') return true;
  return error instanceof Error && noConnectionInTime.test(error.message);
}

/**
 * The unique or foreign key, or the check, that a database error says was violated, and its table. Without the values: they
 * may name a person.
 */
export interface Violation {
  readonly table: string | undefined;
  readonly constraint: string | undefined;
}

/**
 * Returns the constraint that an error names; null where it names none. Errors that Citus passes on from a node name it
 * only in the sentence, and by the name that the shard has there.
 */
export function violationIn(error: unknown): Violation | null {
  if (!(error instanceof pg.DatabaseError && error.code?.startsWith('23'))) return null;
  const said = (pattern: RegExp) => pattern.exec(error.message)?.[1];
  return {
    table: withoutShard(error.table ?? said(/\b(?:table|relation) "([^"]+)"/)),
    constraint: withoutShard(error.constraint ?? said(/\bconstraint "([^"]+)"/)),
  };
}

/** Citus numbers shards from 102008 on, and puts the number behind each name. */
function withoutShard(name: string | undefined): string | undefined {
  return name?.replace(/_[1-9]\d{5,}$/, '');
}

/** True if an error of COMMIT leaves the outcome of the transaction open. */
export function isCommitUnknown(error: unknown): boolean {
  const state = sqlState(error);
  if (state === undefined || /^(08|57P0)/.test(state)) return true;
  // Citus has sent a node the commit, and the node has not said whether it did.
  return state === 'XX000' && noNodeSaidSo.test((error as Error).message);
}

const noNodeSaidSo = /^could not commit transaction for shard \d+ on at least one active node$/;
/** The messages of pg-pool when no connection was free, or a new one was not made. */
const noConnectionInTime = /^timeout exceeded when trying to connect$|due to connection timeout$/;
/** The message of Citus for a node that is gone before the commit, under the code of internal errors. */
const lostNode =
  /^(failure on connection marked as essential|server closed the connection unexpectedly|no connection to the server|connection not open)/;
const connectionTrouble =
  /Connection terminated|Query read timeout|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Client has encountered a connection error|not queryable/;
