import type { InstanceRow } from '../cards/instance-row.ts';
import { hasText } from '../cards/lists.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { prepared, type Sql, sql } from '../kit/db/sql.ts';
import type { Account } from '../ledger/account.ts';

/** The part of a card that is needed to change what it shows and to notify its wallets. */
export type LockedRow = Pick<
  InstanceRow,
  | 'workspaceId'
  | 'instanceId'
  | 'passId'
  | 'status'
  | 'installed'
  | 'appleWallets'
  | 'googleWallets'
  | 'webWallets'
  | 'modifiedAt'
  | 'seenPassRevision'
>;

/** A held card with the account that it shows; null where it has none yet. Both are as they stand now. */
export interface LockedCard extends LockedRow {
  /** Whether the person behind it was erased. */
  readonly isErased: boolean;
  /** Its own; null: what its pass says. */
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly account: Account | null;
}

interface OfPass {
  readonly workspaceId: string;
  readonly passId: string;
}

/** What names a card, by the database's ids; an empty name fits no card. */
export interface CardName {
  readonly instanceId?: string;
  readonly identifier?: string;
  readonly barcode?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly accountId?: string;
}

/** How a holder is reached; several may share it. */
export type AddressKind = 'email' | 'phone';

/** A held card, and the places of the targets that name it, from 1 on. */
interface NamedCard {
  readonly card: LockedCard;
  readonly places: readonly number[];
}

type LockedColumns = LockedRow &
  Pick<LockedCard, 'isErased' | 'expiresAt' | 'createdAt'> &
  Omit<Account, 'nextExpiryAt'> & {
    readonly places: readonly number[];
    readonly accountId: string | null;
    readonly nextExpiryAt: Date | null;
  };

/**
 * Finds the cards that targets name and keeps them from changing until the transaction ends, with their accounts, in the
 * order of their ids. One that is named by its id may be of another pass. A holder, an address or a barcode is resolved
 * at the beginning: a call that waits for a card may find it voided. An address that several share names none.
 */
export async function lockNamed(tx: Tx, pass: OfPass, targets: readonly CardName[]): Promise<NamedCard[]> {
  const ways = waysToCards.filter(([name]) => targets.some((target) => target[name] !== undefined));
  if (ways.length === 0) return [];
  const named = (name: keyof CardName) => targets.map((target) => target[name] ?? null);
  const lists = ways.map(([name, { type }]) => sql.list(named(name), type));
  const { rows } = await prepared<LockedColumns>`
    with asked as materialized (
      select * from unnest(${sql.join(lists)}) with ordinality as a(${sql.join(ways.map(([name]) => sql.ref(name)))}, place)
    ), named as materialized (
      select found.instance_id, array_agg(a.place::int) as places
      from asked a
      cross join lateral (${sql.join(
        ways.map(([, { find }]) => find(pass)),
        sql.raw(' union all '),
      )}) as found(instance_id)
      group by found.instance_id
      order by found.instance_id
    )
    select named.places, card.*, account.*,
      greatest(card.card_modified_at, account.shown_at) as modified_at,
      greatest(card.card_pass_revision, account.shown_pass_revision) as seen_pass_revision
    from named
    cross join lateral (
      select i.workspace_id, i.instance_id, i.pass_id, i.status, i.installed, i.apple_wallets, i.google_wallets,
        i.web_wallets, i.erased_at is not null as is_erased, i.expires_at, i.created_at, i.modified_at as card_modified_at,
        i.pass_revision as card_pass_revision
      from instances i
      where i.instance_id = named.instance_id and i.workspace_id = ${pass.workspaceId}
      for no key update
    ) as card
    left join lateral (
      select a.account_id, a.program_id, a.seq, a.balance, a.lifetime_points, a.pending_rewards, a.next_expiry_at,
        a.last_earned_at, a.day_ends_at, a.earned_that_day, a.shown_at, a.shown_pass_revision
      from loyalty_accounts a
      where a.instance_id = named.instance_id and a.workspace_id = ${pass.workspaceId}
      for no key update
    ) as account on true
  `.execute(tx);
  return rows.map((row) => ({ places: row.places, card: lockedCard(row) }));
}

/** How each kind of target leads to cards: by a whole key, or not at all where it is null. */
const waysToCards: readonly (readonly [
  name: keyof CardName,
  way: { type: string; find(pass: OfPass): Sql },
])[] = [
  ['instanceId', { type: 'uuid', find: () => sql`select a.instance_id where a.instance_id is not null` }],
  ['identifier', { type: 'text', find: (pass) => cardOfIdentifier(pass) }],
  ['barcode', { type: 'text', find: (pass) => cardOfBarcode(pass) }],
  ['email', { type: 'text', find: (pass) => cardOfAddress(pass, 'email') }],
  ['phone', { type: 'text', find: (pass) => cardOfAddress(pass, 'phone') }],
  [
    'accountId',
    {
      type: 'uuid',
      find: ({ workspaceId }) => sql`(
        select l.instance_id from loyalty_accounts l
        where l.account_id = a.account_id and l.workspace_id = ${workspaceId}
        limit 1
      )`,
    },
  ],
];

/** Searches by the barcode alone, which few passes share: the planner must not take the index of a pass's cards. */
function cardOfBarcode({ workspaceId, passId }: OfPass): Sql {
  return sql`(
    select i.instance_id
    from (
      select instance_id, pass_id from instances
      where barcode = a.barcode and workspace_id = ${workspaceId}
      offset 0
    ) as i
    where i.pass_id = ${passId}
    limit 1
  )`;
}

/** The present card whose holder has the address of that column of `a`, where there is only one. */
function cardOfAddress(pass: OfPass, kind: AddressKind): Sql {
  return sql`(
    select (array_agg(h.instance_id))[1]
    from (${cardsOfAddress(pass, kind, sql.ref(`a.${kind}`))} limit 2) as h
    having count(*) = 1
  )`;
}

/** The present cards of a pass whose holders have the address, which is folded; a number is in the form of E.164. */
function cardsOfAddress({ workspaceId, passId }: OfPass, kind: AddressKind, address: Sql): Sql {
  return sql`
    select h.instance_id from holders h
    where ${hasText(kind, workspaceId, address)} and h.workspace_id = ${workspaceId} and h.pass_id = ${passId} and h.current`;
}

/** The present card, else the former that has the account, else the newest of the former. */
function cardOfIdentifier({ workspaceId, passId }: OfPass): Sql {
  return sql`(
    select h.instance_id
    from holders h
    left join loyalty_accounts l on l.instance_id = h.instance_id and l.workspace_id = ${workspaceId}
    where h.identifier = a.identifier and h.pass_id = ${passId} and h.workspace_id = ${workspaceId}
    order by h.current nulls last, l.instance_id is null, h.instance_id desc
    limit 1
  )`;
}

/** Column by column: a copy of all of them, less some, costs more than the rest of reading a card. */
function lockedCard(row: LockedColumns): LockedCard {
  return {
    workspaceId: row.workspaceId,
    instanceId: row.instanceId,
    passId: row.passId,
    status: row.status,
    installed: row.installed,
    appleWallets: row.appleWallets,
    googleWallets: row.googleWallets,
    webWallets: row.webWallets,
    modifiedAt: row.modifiedAt,
    seenPassRevision: row.seenPassRevision,
    isErased: row.isErased,
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    account: row.accountId === null ? null : accountIn(row, row.accountId),
  };
}

function accountIn(row: LockedColumns, accountId: string): Account {
  return {
    accountId,
    workspaceId: row.workspaceId,
    programId: row.programId,
    instanceId: row.instanceId,
    seq: row.seq,
    balance: row.balance,
    lifetimePoints: row.lifetimePoints,
    pendingRewards: row.pendingRewards,
    nextExpiryAt: row.nextExpiryAt?.getTime() ?? Number.POSITIVE_INFINITY,
    lastEarnedAt: row.lastEarnedAt,
    dayEndsAt: row.dayEndsAt,
    earnedThatDay: row.earnedThatDay,
    shownAt: row.shownAt,
    shownPassRevision: row.shownPassRevision,
  };
}

/**
 * The card that belongs to each identifier with a pass: the present one, else the former that has the account, else the
 * newest of the former.
 */
export async function findCardsOf(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  identifiers: readonly string[],
): Promise<{ identifier: string; instanceId: string }[]> {
  if (identifiers.length === 0) return [];
  return sql<{ identifier: string; instanceId: string }>`
    select a.identifier, card.instance_id
    from unnest(${identifiers}::text[]) as a(identifier)
    cross join lateral ${cardOfIdentifier({ workspaceId, passId })} as card
  `.rows(db);
}

/** The card of a pass that carries each barcode as its own. */
export async function findCardsByBarcode(
  db: Db,
  { workspaceId, passId }: { readonly workspaceId: string; readonly passId: string },
  barcodes: readonly string[],
): Promise<{ barcode: string; instanceId: string }[]> {
  if (barcodes.length === 0) return [];
  return sql<{ barcode: string; instanceId: string }>`
    select a.barcode, card.instance_id
    from unnest(${barcodes}::text[]) as a(barcode)
    cross join lateral ${cardOfBarcode({ workspaceId, passId })} as card
  `.rows(db);
}

/** An address of holders of a pass: how many of their present cards it leads to, and the card where it is only one. */
export interface AddressCards {
  readonly address: string;
  readonly matchCount: number;
  readonly instanceId: string | null;
}

/** What addresses of a kind lead to; more than a thousand cards are not counted. */
export async function findCardsOfAddresses(
  db: Db,
  pass: OfPass,
  kind: AddressKind,
  addresses: readonly string[],
): Promise<AddressCards[]> {
  if (addresses.length === 0) return [];
  return prepared<AddressCards>`
    select a.address, cards.*
    from unnest(${sql.list(addresses, 'text')}) as a(address)
    cross join lateral (
      select count(*)::int as match_count, case count(*) when 1 then (array_agg(h.instance_id))[1] end as instance_id
      from (${cardsOfAddress(pass, kind, sql.ref('a.address'))} limit 1000) as h
    ) as cards
  `.rows(db);
}
