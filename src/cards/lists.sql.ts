import type { Db } from '../kit/db/database.ts';
import { type Sql, sql } from '../kit/db/sql.ts';
import { codeSeparators } from '../kit/text/fold.ts';
import type { InstanceRow } from './instance-row.ts';
import { describedIn, view } from './instances.sql.ts';

/** Which cards of a pass are listed. */
export interface CardFilter {
  readonly workspaceId: string;
  readonly passId: string;
  readonly status?: 'active' | 'voided' | undefined;
  readonly installed?: boolean | undefined;
  readonly partnerId?: string | undefined;
  readonly identifier?: string | undefined;
  /** Folded. */
  readonly email?: string | undefined;
  /** In the form of E.164. */
  readonly phone?: string | undefined;
  readonly instanceId?: string | undefined;
  /** No older than this id: ids begin with their time. */
  readonly since: string | null;
}

/** Newest first, below the id `after`. */
export function listInstances(
  db: Db,
  filter: CardFilter,
  after: string | null,
  take: number,
): Promise<InstanceRow[]> {
  const { workspaceId, passId, status, installed, partnerId, since } = filter;
  const conditions = [
    sql`i.workspace_id = ${workspaceId} and i.pass_id = ${passId}`,
    // Written out, for the index of voided cards.
    ...(status === undefined
      ? []
      : [status === 'voided' ? sql`i.status = 'voided'` : sql`i.status = 'active'`]),
    ...(installed === undefined ? [] : [installed ? sql`i.installed` : sql`not i.installed`]),
    ...(partnerId === undefined ? [] : [sql`i.partner_id = ${partnerId}`]),
    ...(since === null ? [] : [sql`i.instance_id >= ${since}`]),
    ...(after === null ? [] : [sql`i.instance_id < ${after}`]),
  ];
  return sql<InstanceRow>`
    select ${view}
    from (
      select i.* from ${amongCards(filter)}
      where ${sql.join(conditions, sql` and `)}
      order by i.instance_id desc
      limit ${take}
    ) as i
    ${describedIn(workspaceId)}
    order by i.instance_id desc
  `.rows(db);
}

/** The cards, `i`, that a holder or an id leaves: looked up first, whatever the planner knows, since these are few. */
function amongCards({ workspaceId, passId, instanceId, identifier, email, phone }: CardFilter): Sql {
  const ofHolder = [
    ...(identifier === undefined ? [] : [sql`h.identifier = ${identifier}`]),
    ...(email === undefined ? [] : [hasText('email', workspaceId, sql`${email}`)]),
    ...(phone === undefined ? [] : [hasText('phone', workspaceId, sql`${phone}`)]),
  ];
  const [first] = ofHolder;
  const own = instanceId === undefined ? sql`` : sql`and instance_id = ${instanceId}`;
  if (first !== undefined)
    return sql`
      (
        select h.instance_id as holder_of from holders h
        where h.workspace_id = ${workspaceId} and h.pass_id = ${passId} and ${sql.join(ofHolder, sql` and `)}
        offset 0
      ) as h cross join lateral (
        select * from instances where instance_id = h.holder_of and workspace_id = ${workspaceId} ${own} limit 1
      ) as i`;
  return instanceId === undefined
    ? sql`instances i`
    : sql`(select * from instances where workspace_id = ${workspaceId} ${own} limit 1) as i`;
}

/** What cards are found by: a name also from its second and its third word on, and by its last; a number also by its last digits. */
export type TermKind = 'identifier' | NameKind | 'email' | 'phone' | 'lastDigits' | 'barcode';
export type NameKind = 'name' | 'nameFrom2' | 'nameFrom3' | 'lastWord';

/** Texts that are looked for: what is `text`, folded as its kind is, or begins with it. */
export interface Sought {
  readonly kind: TermKind;
  readonly text: string;
  readonly isWhole: boolean;
  /** The exact identifier, letter by letter; absent for other texts. */
  readonly exactly?: string;
  /** What other words of the name begin with, in any order. */
  readonly others?: readonly string[];
  /** Only of names that are written with umlauts, which a folded name has lost. */
  readonly hasUmlaut?: true;
}

/** Which cards the caller may see. */
export interface Visibility {
  readonly workspaceId: string;
  /** One pass, some, or all of the workspace. */
  readonly passIds: readonly string[] | null;
}

/** A place in the order of what was found. */
export interface Place {
  readonly term: string;
  readonly instanceId: string;
}

/** A card that was found by one of its texts. */
export interface Match extends Place {
  /** The first of the card's texts that fits, in their order: a card is shown there, and nowhere else. */
  readonly firstTerm: string;
}

/** A person that was found by a text of one of their cards. */
export interface PersonMatch extends Place {
  /** Where the person is shown: at the first text that fits of all their cards. */
  readonly firstTerm: string;
  readonly firstInstanceId: string;
  /** The person's cards, the present ones first, then the newest; no more than `mostCards`. */
  readonly instanceIds: readonly string[];
}

const mostCards = 100;

/** What the texts of a workspace begin with in the indexes: the time in its id. */
const startOf = (workspaceId: Sql) => sql`left(${workspaceId}::text, 13)`;

/** Whether a holder `h` has that text, which is folded; a telephone number is in the form of E.164. */
export function hasText(kind: 'email' | 'phone', workspaceId: string, text: Sql): Sql {
  const row = sql.raw('h');
  return sql`${termOf(kind, row)} = ${startOf(sql`${workspaceId}`)} || ${text} and ${isIndexed(kind, row)}`;
}

/** A text of a row of holders or instances, folded, and the condition of its index. */
interface Indexed {
  readonly text: string;
  readonly where: string;
}

/** A code without what people put between its signs: the same as `foldCode`. */
const code = (name: string): Indexed => ({
  text: `translate($.${name}, '${codeSeparators}', '')`,
  where: `$.${name} is not null`,
});
const column = (name: string): Indexed => ({ text: `$.${name}`, where: `$.${name} is not null` });
const fromWord = (text: string, words: number): Indexed => ({
  text,
  where: `$.folded_name like '${'% '.repeat(words - 1)}%'`,
});

/** As the indexes have them; `$` is the row. */
const indexed: Readonly<Record<TermKind, Indexed>> = {
  identifier: code('folded_identifier'),
  name: column('folded_name'),
  nameFrom2: fromWord("substr($.folded_name, strpos($.folded_name, ' ') + 1)", 2),
  nameFrom3: fromWord(
    "substr($.folded_name, length(split_part($.folded_name, ' ', 1)) + length(split_part($.folded_name, ' ', 2)) + 3)",
    3,
  ),
  lastWord: fromWord("split_part($.folded_name, ' ', -1)", 4),
  email: column('folded_email'),
  phone: column('folded_phone'),
  lastDigits: { text: 'reverse($.folded_phone)', where: '$.folded_phone is not null' },
  barcode: code('folded_barcode'),
};

const ofRow = (text: string, row: Sql) => sql.raw(text.replaceAll('$', row.text));
const isIndexed = (kind: TermKind, row: Sql) => ofRow(indexed[kind].where, row);

/** A text of a row as its index has it. */
function termOf(kind: TermKind, row: Sql): Sql {
  return sql`(${startOf(sql`${row}.workspace_id`)} || ${ofRow(indexed[kind].text, row)}) collate "C"`;
}

/** Composed, and with the dots as a letter of their own. */
const umlauts = '[äöüÄÖÜ\u0308]';

/** Whether a text of a row is, or begins with, what is sought. No character comes after the one that is put behind it. */
function fits(row: Sql, workspaceId: string, sought: Sought): Sql {
  const { kind, text, isWhole, exactly, others = [] } = sought;
  const term = termOf(kind, row);
  const start = sql`${startOf(sql`${workspaceId}::uuid`)} || ${text}::text`;
  const same = exactly === undefined ? sql`` : sql`and ${row}.identifier = ${exactly}`;
  const alsoNamed = others.map(
    (word) => sql` and strpos(' ' || ${row}.folded_name, ${` ${word}`}::text) > 0`,
  );
  const place = isWhole
    ? sql`${term} = ${start}`
    : sql`${term} >= ${start} and ${term} < ${start} || ${'\u{10ffff}'}::text`;
  const umlaut = sought.hasUmlaut ? sql`and ${row}.name ~ ${umlauts}` : sql``;
  return sql`${isIndexed(kind, row)} and ${place} ${same}${sql.join(alsoNamed, sql``)} ${umlaut}`;
}

/** The pass is compared in a way that no index serves: there is one of its cards, which may not seem to be many. */
const isVisible = (row: Sql, { workspaceId, passIds }: Visibility) => sql`${row}.workspace_id = ${workspaceId}
  ${passIds === null ? sql`` : sql`and (${row}.pass_id = any(${passIds}::uuid[])) is true`}`;

/** The next texts that fit after a place, in their order, with their cards: `term` and `instance_id`. Each kind has its index. */
function matches(visibility: Visibility, sought: readonly Sought[], after: Place | null, take: number): Sql {
  const row = sql.raw('t');
  const some = sought.map((one) => {
    const term = termOf(one.kind, row);
    const table = sql.raw(one.kind === 'barcode' ? 'instances' : 'holders');
    const beyond =
      after === null ? sql`` : sql`and (${term}, t.instance_id) > (${after.term}, ${after.instanceId}::uuid)`;
    return sql`(
      select ${term} as term, t.instance_id from ${table} t
      where ${isVisible(row, visibility)} and ${fits(row, visibility.workspaceId, one)} ${beyond}
      order by ${term}, t.instance_id
      limit ${take}
    )`;
  });
  return sql`
    select term, instance_id from (${sql.join(some, sql` union `)}) as found
    order by term, instance_id
    limit ${take}`;
}

/** The first of the texts of a row that fits; null where none does. */
function firstOf(row: Sql, { workspaceId }: Visibility, sought: readonly Sought[]): Sql {
  if (sought.length === 0) return sql`null::text`;
  const texts = sought.map((one) => {
    return sql`case when ${fits(row, workspaceId, one)} then ${termOf(one.kind, row)} end`;
  });
  return sql`least(${sql.join(texts)})`;
}

/** Cards by their texts, in the order of these. */
export function searchCards(
  db: Db,
  visibility: Visibility,
  sought: readonly Sought[],
  after: Place | null,
  take: number,
): Promise<Match[]> {
  const ofHolder = sought.filter(({ kind }) => kind !== 'barcode');
  const ofCard = sought.filter(({ kind }) => kind === 'barcode');
  return sql<Match>`
    select m.term, m.instance_id, least(h.first, i.first) as first_term
    from (${matches(visibility, sought, after, take)}) as m
    left join lateral (
      select ${firstOf(sql.raw('t'), visibility, ofHolder)} as first from holders t
      where t.instance_id = m.instance_id and t.workspace_id = ${visibility.workspaceId} limit 1
    ) as h on true
    left join lateral (
      select ${firstOf(sql.raw('t'), visibility, ofCard)} as first from instances t
      where t.instance_id = m.instance_id and t.workspace_id = ${visibility.workspaceId} limit 1
    ) as i on true
    order by m.term, m.instance_id
  `.rows(db);
}

/**
 * People by the texts of their cards, in the order of these. Cards are one person's that have the same identifier; of those
 * without one, the same address; of those without either, the same number.
 */
export function searchPeople(
  db: Db,
  visibility: Visibility,
  sought: readonly Sought[],
  after: Place | null,
  take: number,
): Promise<PersonMatch[]> {
  const other = sql.raw('o');
  const own = sql.raw('h');
  const alike = (kind: 'email' | 'phone') => sql`${termOf(kind, other)} = ${termOf(kind, own)}`;
  const cards = (condition: Sql) => sql`
    select o.* from holders o where ${isVisible(other, visibility)} and ${condition}`;
  return sql<PersonMatch>`
    select m.term, m.instance_id, person.*
    from (${matches(visibility, sought, after, take)}) as m
    cross join lateral (
      select * from holders where instance_id = m.instance_id and workspace_id = ${visibility.workspaceId} limit 1
    ) as h
    cross join lateral (
      select (array_agg(o.instance_id order by o.current nulls last, o.instance_id desc))[1:${mostCards}] as instance_ids,
        min(f.first) as first_term, (array_agg(o.instance_id order by f.first, o.instance_id))[1] as first_instance_id
      from (
        ${cards(sql`h.identifier is not null and o.identifier = h.identifier`)}
        union all ${cards(
          sql`h.identifier is null and o.identifier is null and o.email is not null and ${alike('email')}`,
        )}
        union all ${cards(
          sql`h.identifier is null and h.email is null and o.identifier is null and o.email is null
            and o.phone is not null and ${alike('phone')}`,
        )}
        union all select h.* where h.identifier is null and h.email is null and h.phone is null
      ) as o
      cross join lateral (select ${firstOf(other, visibility, sought)} as first) as f
    ) as person
    order by m.term, m.instance_id
  `.rows(db);
}
