import { CompiledQuery, type DatabaseConnection, type Kysely } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { lostRaceText } from './database-errors.ts';
import { Session } from './session.ts';
import type { Result } from './statement.ts';

type Db = Kysely<Schema>;

/** A statement, or a part of one, with the values in it. */
export interface Sql<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Sends the statement at once. The rows have the names of their columns in camelCase. */
  execute(db: Db): Promise<Result<Row>>;
  /** The same, for its rows alone. */
  rows(db: Db): Promise<Row[]>;
  /** The same, for its first row alone, where there is one. */
  first(db: Db): Promise<Row | undefined>;
}

/** Where statements of a database, or of a transaction, are sent. */
type Sender = Pick<Session, 'send'>;
const senders = new WeakMap<Db, Sender>();

/** Has statements of `db` sent by `sender`, without a detour by way of Kysely. */
export function sendBy(db: Db, sender: Sender): void {
  senders.set(db, sender);
}

/** Has statements of `db` sent where those of another are. */
export function sendLike(db: Db, other: Db): void {
  const sender = senders.get(other);
  if (sender !== undefined) senders.set(db, sender);
}

/** A statement as text, with its values as parameters, and other parts as they stand. Kysely does not compile it. */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql<Row> {
  return partsOf(strings, values, false);
}

/**
 * The same for a statement that is sent for nearly every call: a connection parses and plans it once, where it knows that
 * it stays with one server process. So its plan must be right whatever the tables were like and for whom it was made.
 */
export function prepared<Row = unknown>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
): Sql<Row> {
  return partsOf(strings, values, true);
}

function partsOf<Row>(
  strings: TemplateStringsArray,
  values: readonly unknown[],
  isPrepared: boolean,
): Parts<Row> {
  const parts = new Parts<Row>(isPrepared);
  for (let place = 0; place < strings.length; place++) {
    parts.add(strings[place] as string);
    if (place < values.length) parts.addValue(values[place]);
  }
  return parts;
}

/**
 * An expression that raises a lost race where the condition does not hold: the statement itself has to fail, since COMMIT may
 * follow it in the same write.
 */
export function raceUnless(condition: Sql): Sql {
  return sql`(case when ${condition} then '1' else ${sql.raw(`'${lostRaceText}'`)} end)::int`;
}

/** Text as it stands: never of a caller. */
sql.raw = (text: string): Sql => new Parts().add(text);

/** The name of a column in camelCase, with its table before a dot where there is one. */
sql.ref = (name: string): Sql => {
  const names = name.split('.').map((part) => `"${part.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}"`);
  return new Parts().add(names.join('.'));
};

/**
 * A list, such as of keys, whose length the planner does not see. It takes it for a short one, whether it plans for these
 * values or for any, and looks each key up; where it sees some hundred keys it may read a whole table instead, and a table
 * without statistics is larger than it thinks.
 */
sql.list = <Item>(
  items: readonly Item[],
  type: string,
  toValue: (item: Item) => unknown = (item) => item,
): Sql => new Parts().add('(select ').value(items.map(toValue)).add(`::${type}[])`);

sql.join = (parts: readonly unknown[], separator: Sql = sql.raw(', ')): Sql => {
  const joined = new Parts();
  for (const [place, part] of parts.entries()) {
    if (place > 0) joined.addValue(separator);
    joined.addValue(part);
  }
  return joined;
};

class Parts<Row> implements Sql<Row> {
  /** What stands before, between and after the values. */
  readonly #texts = [''];
  readonly values: unknown[] = [];
  readonly #isPrepared: boolean;

  constructor(isPrepared = false) {
    this.#isPrepared = isPrepared;
  }

  add(text: string): this {
    this.#texts[this.#texts.length - 1] += text;
    return this;
  }

  value(value: unknown): this {
    this.addValue(value);
    return this;
  }

  addValue(value: unknown): void {
    if (!(value instanceof Parts)) {
      if (typeof value === 'object' && value !== null && 'toOperationNode' in value)
        throw new Error('a part that Kysely has built is no value of a statement');
      this.values.push(value);
      this.#texts.push('');
      return;
    }
    const inner: Parts<unknown> = value;
    for (const [place, text] of inner.#texts.entries()) {
      this.add(text);
      if (place < inner.values.length) this.addValue(inner.values[place]);
    }
  }

  get text(): string {
    let text = this.#texts[0] ?? '';
    for (let place = 1; place < this.#texts.length; place++) text += `$${place}${this.#texts[place]}`;
    return text;
  }

  execute(db: Db): Promise<Result<Row>> {
    const sender = senders.get(db);
    if (sender === undefined) return executeByKysely(db, this);
    return sender.send(this.text, this.values, this.#isPrepared);
  }

  async rows(db: Db): Promise<Row[]> {
    return (await this.execute(db)).rows;
  }

  async first(db: Db): Promise<Row | undefined> {
    return (await this.execute(db)).rows[0];
  }
}

/** A transaction that Kysely has begun by itself. */
async function executeByKysely<Row>(db: Db, { text, values }: Sql<Row>): Promise<Result<Row>> {
  const query = CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;
  const { rows, numAffectedRows } = await db.getExecutor().executeQuery(query);
  return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
}

/** Has statements on a connection that `db` keeps leave by its session, so that several go in one write. */
export async function sendBySession(db: Parameters<typeof sendBy>[0]): Promise<void> {
  await db.getExecutor().provideConnection(async (connection: DatabaseConnection) => {
    if (connection instanceof Session) sendBy(db, connection);
  });
}
