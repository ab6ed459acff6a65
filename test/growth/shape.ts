import type pg from 'pg';

/** How much there is, and how it was made. */
export interface Growth {
  /** 1 means 1,000 workspaces, 5 million cards and 50 million ledger entries. */
  readonly scale: number;
  /** How many workspaces share it; by default as many as suit the scale. */
  readonly workspaces?: number;
  /** Another seed makes other ids and another order of events. */
  readonly seed: number;
  /** Two years of history end at this moment. */
  readonly until: Date;
  /** Whether deliveries, mails and other work are due at that moment; else nothing is due for a hundred years. */
  readonly hasBacklog: boolean;
}

/** Rows that a statement adds to a table; it may read the shape, and `grown_cards` where it is run for each part of them. */
export interface Step {
  readonly table: string;
  readonly insert: string;
  /** The statement for a database of a former version, which lacks a table, or a column (`table.column`). */
  readonly former?: { readonly lacks: string; readonly insert: string };
}

export function countsOf({ scale, workspaces }: Growth): {
  workspaces: number;
  cards: number;
  entriesPerAccount: number;
} {
  return {
    // A service that grows gets more customers, and larger ones.
    workspaces: workspaces ?? Math.max(20, Math.round(1_000 * Math.sqrt(scale))),
    cards: Math.max(1_000, Math.round(5_000_000 * scale)),
    // About three quarters of all cards take part in a program.
    entriesPerAccount: 13,
  };
}

/** A version 7 id of a moment, the same for the same name and seed. */
export function idOf(at: string, name: string): string {
  const moment = `lpad(to_hex((date_part('epoch', ${at}) * 1000)::bigint), 12, '0')`;
  const random = `md5(':seed ' || ${name})`;
  return `overlay(overlay(overlay(${random} placing ${moment} from 1) placing '7' from 13) placing '8' from 17)::uuid`;
}

/** The id of partner number `n` of the workspace of a row. */
export function partnerIdOf(n: string): string {
  return idOf('opened_at', `'partner' || w || '-' || ${n}`);
}

/** A number from 0 to `most` - 1 that looks random, the same for the same number and purpose. */
export function chance(n: string, purpose: number, most: number): string {
  return `(hashint8extended(${n}, ${purpose}) & 2147483647) % ${most}`;
}

/** The end of the history, and when work is due: `spelt` puts the moments of a growth there. */
export const until = "timestamptz ':until'";
export const due = "timestamptz ':due'";
const history = "interval '730 days'";

/** A statement with the moments and the seed of a growth. */
export function spelt(statement: string, { seed, until, hasBacklog }: Growth): string {
  const dueAt = hasBacklog ? until : new Date(until.getTime() + 100 * 365 * 86_400_000);
  const words: Record<string, string> = {
    ':until': until.toISOString(),
    ':due': dueAt.toISOString(),
    ':seed': String(seed),
  };
  return statement.replace(/(?<=')(:until|:due|:seed)(?=['\s])/g, (word) => words[word] ?? word);
}

/**
 * The installation in outline, in tables of the session: workspaces of which each has fewer cards than the one before,
 * and their passes likewise. Pass 1 of workspace 1 is the largest by far.
 */
export async function prepareShape(client: pg.Client, growth: Growth): Promise<void> {
  const { workspaces, cards } = countsOf(growth);
  await client.query(
    spelt(
      `create temp table grown_workspaces as
     select w, ${idOf(`${until} - ${history} - w * interval '1 minute'`, "'workspace' || w")} as workspace_id,
       ${until} - ${history} - w * interval '1 minute' as created_at,
       greatest(10, round(${cards} * power(w, -1.1) / sum(power(w, -1.1)) over ()))::int as cards,
       least(12, 1 + floor(12 / sqrt(w)))::int as passes, least(500, 1 + ${cards} / 1000 / w)::int as partners
     from generate_series(1, ${workspaces}) w`,
      growth,
    ),
  );
  await client.query(
    spelt(
      `create temp table grown_passes as
     select p.*, ${idOf('created_at', "'pass' || p")} as pass_id,
       case when has_program then ${idOf('created_at', "'program' || p")} end as program_id,
       ${idOf('created_at', "'store' || w")} as store_id, sum(cards) over (order by p)::bigint - cards as first
     from (
       select row_number() over (order by w, k) as p, w, workspace_id, created_at, k, partners,
         greatest(2, round(cards / k / sum(1.0 / k) over (partition by w)))::int as cards,
         k % 4 in (1, 2) as has_program, k % 4 = 1 as in_points, k % 4 = 3 as has_pool,
         case when w % 2 = 0 then 36 end as expiry_months
       from grown_workspaces cross join lateral generate_series(1, passes) k
     ) as p`,
      growth,
    ),
  );
  await client.query('create unique index on grown_passes (p)');
  await client.query('analyze grown_workspaces, grown_passes');
}

/** The cards from one number to another, drawn anew; how many there are. Two years of them, the first ones first. */
export async function drawCards(
  client: pg.Client,
  growth: Growth,
  from: number,
  to: number,
): Promise<number> {
  const { entriesPerAccount, cards } = countsOf(growth);
  await client.query('drop table if exists grown_cards');
  const { rowCount } = await client.query(
    spelt(
      `create temp table grown_cards as
     with numbered as (
       select p.p, p.k, p.w, p.workspace_id, p.pass_id, p.program_id, p.store_id, p.in_points, p.has_pool,
         p.expiry_months, p.partners, p.created_at as opened_at, n, n = 0 as is_busiest,
         p.created_at + ${history} * ((n - p.first + 0.5) / p.cards) as created_at
       from grown_passes p
       cross join lateral generate_series(greatest(p.first, ${from}), least(p.first + p.cards, ${to}) - 1) n
     ), drawn as (
       select *, ${chance('n', 1, 100)} < 4 and not is_busiest as is_voided,
         ${chance('n', 1, 1000)} < 5 and not is_busiest as is_erased,
         ${chance('n', 2, 100)} < 35 or is_busiest as has_apple, ${chance('n', 3, 100)} < 20 as has_google,
         ${chance('n', 4, 100)} < 10 as has_web, ${chance('n', 5, 100)} < 30 as has_partner,
         -- Most cards are used a few times, few are used often; one is a till's own and gets every twentieth entry of its kind.
         case when program_id is null then 0
           when is_busiest then ${Math.round(cards / 25)}
           else least(400, 1 + floor(-ln(((${chance('n', 6, 1_000_000)}) + 1) / 1000001.0) * ${entriesPerAccount - 1}))
         end::int as entries
       from numbered
     )
     select *, ${idOf('created_at', "'card' || n")} as instance_id,
       -- Each card has a branch of three of its workspace, where there are as many.
       case when has_partner then ${partnerIdOf(`1 + (${chance('n', 8, 3)}) % partners`)} end as partner_id,
       case when program_id is not null then ${idOf('created_at', "'account' || n")} end as account_id,
       case when has_pool then 'POOL-' || n else upper(substr(md5('barcode' || n), 1, 16)) end as barcode,
       -- Two cards lie on a phone at most, but one of an agency holds many.
       case when k = 1 and w = 1 and (${chance('n', 7, 20)} = 0 or is_busiest) then 1 else 2 + n / 2 end as device_id
     from drawn`,
      growth,
    ),
  );
  await client.query('analyze grown_cards');
  return rowCount ?? 0;
}
