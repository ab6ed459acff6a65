import type { ActorCtx } from '../../context.ts';
import type { Db, Tx } from '../../kit/db/database.ts';
import { decodeId } from '../../kit/ids.ts';
import { dayEnd } from '../../kit/time.ts';
import type { PassRow } from '../pass-row.ts';
import { findPassAnywhere, findPassOf } from '../passes.sql.ts';
import type { ProgramInZone } from './pass-memory.ts';
import type { ProgramRow } from './program-row.ts';
import { findVersion, findWithZone } from './programs.sql.ts';

/** What the ledger needs to know of a program, as of a moment. */
export interface LedgerRules {
  readonly program: ProgramRow;
  /** The end of the day in the workspace's time zone. */
  readonly dayEndsAt: Date;
  /** The moment at which points earned at that moment expire, in ms: the end of the day that lies the program's months later; Infinity: never. */
  expiryOf(moment: Date): number;
}

/** The rules of a pass's program as of `at`; undefined without a program. */
export async function ledgerRules(
  db: Db,
  pass: { readonly workspaceId: string; readonly passId: string },
  at: Date,
): Promise<LedgerRules | undefined> {
  return rulesOf(await findWithZone(db, pass.workspaceId, pass.passId), at);
}

function rulesOf(program: ProgramInZone | undefined, at: Date): LedgerRules | undefined {
  if (program === undefined) return undefined;
  const { timezone, expiryMonths: months } = program;
  return {
    program,
    dayEndsAt: dayEnd(timezone, at),
    expiryOf: (moment) =>
      months === null ? Number.POSITIVE_INFINITY : dayEnd(timezone, moment, months).getTime(),
  };
}

/** What a call on cards of a pass is decided by. */
export interface PassRules {
  /** Of the caller's workspace, or else of another, for the caller to refuse; undefined: there is none. */
  readonly pass: PassRow | undefined;
  readonly rules: LedgerRules | undefined;
  /** What the workspace has free; null where the pass is none of its own. */
  readonly credits: number | null;
}

/**
 * A pass by its public id with the rules of its program as of `at`, and the free credits, as this transaction sees them:
 * of what changes rarely it reads the version, and the rows where this process has another one.
 */
export async function passRules(
  tx: Tx,
  { app, workspaceId }: ActorCtx,
  publicId: string,
  at: Date,
): Promise<PassRules> {
  const passId = decodeId('pass', publicId);
  if (passId === null) return { pass: undefined, rules: undefined, credits: null };
  const seen = await findVersion(tx, workspaceId, passId);
  if (seen === undefined)
    return { pass: await findPassAnywhere(tx, passId), rules: undefined, credits: null };
  const { version, credits } = seen;
  const known = app.passMemory.get(passId);
  if (known?.version === version) return { pass: known.pass, rules: rulesOf(known.program, at), credits };
  const [pass, program] = await Promise.all([
    findPassOf(tx, workspaceId, passId),
    findWithZone(tx, workspaceId, passId),
  ]);
  if (pass !== undefined) app.passMemory.set(passId, { version, pass, program });
  return { pass, rules: rulesOf(program, at), credits };
}
