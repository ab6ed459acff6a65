import pg from 'pg';
import { cardSteps } from './cards.ts';
import { closingChanges, closingSteps } from './closing.ts';
import { ledgerSteps } from './ledger.ts';
import { countsOf, drawCards, type Growth, prepareShape, type Step, spelt } from './shape.ts';
import { tenantSteps } from './tenants.ts';

/** How far it has come. */
export interface Progress {
  /** From 0 to 1. */
  readonly part: number;
  readonly doing: string;
  readonly rows: number;
  readonly seconds: number;
}

/** Even, so that the two cards of a phone are of one part. */
const cardsPerPart = 100_000;
/** What the work before and after the cards takes, as a part of the whole. */
const opening = 0.02;
const closing = 0.15;

/**
 * Fills an empty, migrated database with what a service of that size would hold after two years: every table, with rows
 * that keep the rules of `test/invariants.ts`. Set by set, without triggers and foreign keys, which needs a superuser.
 * Push tokens and link secrets are fillers. Returns the rows of each table.
 */
export async function growDatabase(
  url: string,
  growth: Growth,
  onProgress: (progress: Progress) => void,
): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: found } = await client.query('select from workspaces limit 1');
    if (found.length > 0) throw new Error('The database is not empty: grow a new one.');
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set timezone = 'UTC'; set work_mem = '256MB'`,
    );
    return await fill(client, growth, onProgress);
  } finally {
    await client.end();
  }
}

async function fill(
  client: pg.Client,
  growth: Growth,
  onProgress: (progress: Progress) => void,
): Promise<Map<string, number>> {
  const startedAt = performance.now();
  const rows = new Map<string, number>();
  const show = (part: number, doing: string) => {
    const sum = [...rows.values()].reduce((total, count) => total + count, 0);
    onProgress({ part, doing, rows: sum, seconds: (performance.now() - startedAt) / 1_000 });
  };
  const isThere = async (name: string) => {
    const [table, column] = name.split('.');
    const { rows: found } = await client.query(
      'select from pg_attribute where attrelid = to_regclass($1) and attname = coalesce($2, attname) limit 1',
      [table, column],
    );
    return found.length > 0;
  };
  const take = async ({ table, insert, former }: Step) => {
    // A database of a former version lacks the tables that came later.
    if (!(await isThere(table))) return;
    const isFormer = former !== undefined && !(await isThere(former.lacks));
    const { rowCount } = await client.query(
      spelt(`insert into ${table} ${isFormer ? former.insert : insert}`, growth),
    );
    rows.set(table, (rows.get(table) ?? 0) + (rowCount ?? 0));
  };

  await prepareShape(client, growth);
  for (const step of tenantSteps) await take(step);
  await client.query('analyze');
  const { rows: sums } = await client.query<{ cards: number }>(
    'select sum(cards)::int as cards from grown_passes',
  );
  const cards = sums[0]?.cards ?? countsOf(growth).cards;
  const steps = [...cardSteps, ...ledgerSteps];
  for (let from = 0; from < cards; from += cardsPerPart) {
    const to = Math.min(from + cardsPerPart, cards);
    await drawCards(client, growth, from, to);
    for (const [at, step] of steps.entries()) {
      const done = (from + (to - from) * (at / steps.length)) / cards;
      show(
        opening + (1 - opening - closing) * done,
        `${step.table}, ${from.toLocaleString('en')} cards done`,
      );
      await take(step);
    }
  }
  for (const [at, step] of closingSteps.entries()) {
    show(1 - closing * (1 - at / (closingSteps.length + 2)), step.table);
    await take(step);
  }
  for (const change of closingChanges) await client.query(change);
  show(1 - closing * (1 / (closingSteps.length + 2)), 'vacuum and analyze');
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  show(1, 'done');
  return rows;
}
