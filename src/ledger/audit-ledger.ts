import { type Database, type Db, inSnapshot, type Tx } from '../kit/db/database.ts';
import { encodeId, firstIdSince } from '../kit/ids.ts';
import type { NamedGauge } from '../kit/telemetry/metrics.ts';
import { sumAges } from './ages.sql.ts';
import { addAges, ageBounds } from './ages.ts';
import * as audit from './audit.sql.ts';
import * as audits from './audits.sql.ts';
import { countFindings, type Step, sumAccounts, sumEntries, type Totals } from './audits.sql.ts';
import type { Finding, Recount } from './recount.ts';
import { readTotals } from './totals.sql.ts';

/** Who looks at a broken ledger needs the first of them; a flood would only be in the way. */
const mostFindings = 100;
/** A finding of today is compared with what was last year. */
const daysKept = 400;
/** Accounts of one step, and about how many entries they may have together: a step is short however large the ledger. */
const step = { accounts: 500, entries: 50_000 };

interface Program {
  readonly workspaceId: string;
  readonly programId: string;
}

/** What statistics, which count by themselves, say that a ledger adds up to; undefined where they cannot say it yet. */
export type OtherSums = (db: Db, program: Program) => Promise<Totals | undefined>;

/** Recounts the ledger of a workspace, and keeps what was found. It repairs nothing. */
export async function auditLedger(
  database: Database,
  workspaceId: string,
  now: () => Date,
  otherSums?: OtherSums,
): Promise<Recount> {
  let recount = beginRecount(workspaceId, now());
  while (recount.stage !== 'finished') {
    const before = recount;
    recount = await inSnapshot(database, (tx) => countOn(tx, before, otherSums));
  }
  await database.transaction((tx) => keepAudit(tx, recount, now()));
  return recount;
}

/** The workspaces that have a ledger. */
export async function listLedgers(db: Db): Promise<{ workspaceId: string; name: string }[]> {
  return audits.listLedgers(db);
}

/** A recount that has yet to count. */
function beginRecount(workspaceId: string, startedAt: Date): Recount {
  return {
    workspaceId,
    stage: 'accounts',
    cursor: null,
    accounts: 0,
    entries: 0,
    findings: [],
    ages: {},
    startedAt,
  };
}

/**
 * Takes the next step of a recount: some accounts, or one program. Everything that it compares must be of one moment,
 * or points that are earned during the audit would look like damage: `db` is a snapshot.
 */
export async function countOn(db: Db, recount: Recount, otherSums?: OtherSums): Promise<Recount> {
  return recount.stage === 'accounts' ? countAccounts(db, recount) : countNextProgram(db, recount, otherSums);
}

/** Keeps what a recount has found, and forgets the audits of this workspace that are too old. */
export async function keepAudit(tx: Tx, recount: Recount, finishedAt: Date): Promise<void> {
  await audits.insertAudit(tx, recount, finishedAt);
  const since = new Date(finishedAt.getTime() - daysKept * 86_400_000);
  await audits.deleteOldAudits(tx, recount.workspaceId, firstIdSince(since));
}

async function countAccounts(db: Db, recount: Recount): Promise<Recount> {
  const { workspaceId, cursor } = recount;
  const next = await audit.nextAccounts(db, workspaceId, cursor, step);
  const accounts = { workspaceId, accountIds: next.accountIds };
  const { entries, wrong } = await audit.checkEntries(db, accounts);
  const found = [
    ...wrong,
    ...(await audit.checkReversals(db, accounts)),
    ...(await audit.checkLots(db, accounts)),
    ...(await audit.checkLotUses(db, accounts)),
    ...(await audit.checkExpired(db, accounts)),
    ...(await audit.checkRewards(db, accounts)),
  ];
  return {
    ...recount,
    ...(next.through === null ? { stage: 'programs', cursor: null } : { cursor: next.through }),
    accounts: recount.accounts + next.accountIds.length,
    entries: recount.entries + entries,
    findings: withFindings(recount, found.map(presentAccount)),
    ages: addAges(recount.ages, await sumAges(db, accounts, { at: recount.startedAt, bounds: ageBounds })),
  };
}

async function countNextProgram(db: Db, recount: Recount, otherSums?: OtherSums): Promise<Recount> {
  const { workspaceId, cursor } = recount;
  const programId = await audit.nextProgram(db, workspaceId, cursor);
  if (programId === undefined) return { ...recount, stage: 'finished', cursor: null };
  const { wrong: wrongSums, orphans } = await countProgram(db, { workspaceId, programId }, otherSums);
  const { wrong } = await audit.checkEntries(db, { workspaceId, accountIds: orphans });
  const findings = wrongSums.map((one) => ({ ...one, id: encodeId('prog', programId) }));
  return {
    ...recount,
    cursor: programId,
    findings: withFindings(recount, [...wrong.map(presentAccount), ...findings]),
  };
}

/** An account that is gone may be found twice: by its entries in one program, and by those in another. */
function withFindings({ findings }: Recount, more: readonly Finding[]): Finding[] {
  const isKnown = ({ rule, id }: Finding) => findings.some((one) => one.rule === rule && one.id === id);
  return [...findings, ...more.filter((one) => !isKnown(one))].slice(0, mostFindings);
}

function presentAccount({ rule, accountId, instanceId, expected, found }: audit.WrongAccount): Finding {
  return {
    rule,
    id: encodeId('account', accountId),
    ...(instanceId !== null && { instanceId: encodeId('inst', instanceId) }),
    expected,
    found,
  };
}

/** Rows that one statement adds up: however many there are, none of them takes long. */
const rowsPerStep = 50_000;

/**
 * Holds the totals of a program, and its statistics, against its entries and accounts, and finds accounts that have entries only. Points move all the time, so all of it must be of one
 * moment: `db` is a snapshot, kept for as long as adding up takes.
 */
async function countProgram(
  db: Db,
  program: Program,
  otherSums?: OtherSums,
): Promise<{ wrong: Omit<Finding, 'id'>[]; orphans: string[] }> {
  const sums = new Map<string, bigint>();
  const orphans = new Set<string>();
  for (const sumStep of [sumEntries, sumAccounts]) {
    for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
      const step: Step = await sumStep(db, program, after, rowsPerStep);
      for (const accountId of step.orphans) orphans.add(accountId);
      for (const [name, sum] of Object.entries(step.sums)) sums.set(name, (sums.get(name) ?? 0n) + sum);
      after = step.last;
    }
  }
  const wrong = (rule: string, found: object) =>
    Object.entries(found)
      .filter(([name, total]) => total !== sums.get(name))
      .map(([name, total]) => ({ rule, expected: `${name} ${sums.get(name)}`, found: `${name} ${total}` }));
  return {
    wrong: [
      ...wrong('program_totals', await readTotals(db, program)),
      ...wrong('statistics', (await otherSums?.(db, program)) ?? {}),
    ],
    orphans: [...orphans],
  };
}

/** What /metrics says of the ledger. */
export function ledgerGauges(db: Db): NamedGauge[] {
  return [
    {
      name: 'ledger_findings',
      help: "What the newest audits of the workspaces' ledgers have found, by the rule that is broken",
      label: 'rule',
      read: async () => Object.fromEntries((await countFindings(db)).map(({ rule, count }) => [rule, count])),
    },
  ];
}
