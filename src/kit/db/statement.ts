import pg from 'pg';
import { type Parameter, parameterOf } from './parameters.ts';

export interface Result<Row> {
  readonly rows: Row[];
  /** How many rows the statement has changed, or read. */
  readonly rowCount: number;
}

/**
 * A statement that is sent to the server. Its rows are made as they arrive, with the names of their columns in
 * camelCase, and without the events and copies that `pg` makes of each.
 */
export class Statement<Row> extends pg.Query {
  /** Called once, with the error or the result; the client puts its time limit around it. */
  callback: (error: Error | null, result?: Result<Row>) => void;
  /** The client sends a statement with a name by it, once the server has prepared it. */
  declare name?: string;
  readonly #rows: Row[] = [];
  readonly #prepared: Prepared | null;
  #columns: Columns = noColumns;
  #rowCount: number | null = null;
  #failure: Error | null = null;

  constructor(
    text: string,
    values: readonly unknown[],
    isPrepared: boolean,
    resolve: (result: Result<Row>) => void,
    reject: (error: Error) => void,
  ) {
    super(text, values.map(parameterOf) satisfies Parameter[]);
    this.#prepared = isPrepared ? preparedOf(text) : null;
    if (this.#prepared !== null) this.name = this.#prepared.name;
    this.callback = (error, result) => {
      if (result === undefined) reject(error ?? new Error('a statement has ended without a result'));
      else resolve(result);
    };
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    if (this.#prepared === null) this.#columns = columnsOf(fields);
    else this.#columns = this.#prepared.columns = sameOrNew(this.#prepared.columns, fields);
  }

  handleDataRow({ fields: texts }: { fields: readonly (string | null)[] }): void {
    if (this.#failure !== null) return;
    const { names, parsers, empty } = this.#columns;
    const row = { ...empty };
    try {
      for (let place = 0; place < names.length; place++) {
        const text = texts[place] as string | null;
        row[names[place] as string] = text === null ? null : (parsers[place] as Parser)(text);
      }
      this.#rows.push(row as Row);
    } catch (error) {
      // The answer is read to its end, so that the connection can be used again.
      this.#failure = error as Error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const count = Number(text.slice(text.lastIndexOf(' ') + 1));
    this.#rowCount = Number.isInteger(count) ? count : null;
  }

  handleReadyForQuery(): void {
    if (this.#failure !== null) this.callback(this.#failure);
    else this.callback(null, { rows: this.#rows, rowCount: this.#rowCount ?? this.#rows.length });
  }

  handleError(error: Error): void {
    this.callback(this.#failure ?? error);
  }
}

/** A statement that connections prepare. */
interface Prepared {
  readonly name: string;
  /** As its rows had them last. */
  columns: Columns;
}

/** The key is the text: there are some dozens, on a cluster for each shard. */
const preparedTexts = new Map<string, Prepared>();
let names = 0;

function preparedOf(text: string): Prepared {
  let prepared = preparedTexts.get(text);
  if (prepared === undefined) {
    names += 1;
    prepared = { name: `punchcard_${names}`, columns: noColumns };
    preparedTexts.set(text, prepared);
  }
  return prepared;
}

/**
 * Whether the server has refused a prepared statement as such: a migration has changed its columns, or another client took it
 * away. All statements get new names then, under which every connection prepares them anew.
 */
export function renameIfStale(error: unknown): boolean {
  const isStale = error instanceof pg.DatabaseError && staleStates.includes(error.code ?? '');
  if (isStale) preparedTexts.clear();
  return isStale;
}

/** SQLSTATEs of a cached plan whose columns have changed, of an unknown name, and of one that is taken. */
const staleStates = ['0A000', '26000', '42P05'];

type Parser = (text: string) => unknown;

interface Columns {
  readonly fields: readonly pg.FieldDef[];
  readonly names: readonly string[];
  readonly parsers: readonly Parser[];
  /** A row without values, which others are copied from. */
  readonly empty: Readonly<Record<string, unknown>>;
}

const noColumns: Columns = { fields: [], names: [], parsers: [], empty: {} };

function columnsOf(fields: readonly pg.FieldDef[]): Columns {
  const names = fields.map(({ name }) => camelCase(name));
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID));
  return { fields, names, parsers, empty: emptyRow(names) };
}

/** A migration may add columns. */
function sameOrNew(known: Columns, fields: readonly pg.FieldDef[]): Columns {
  const isSame =
    fields.length === known.fields.length &&
    fields.every(({ name, dataTypeID }, place) => {
      const before = known.fields[place];
      return name === before?.name && dataTypeID === before.dataTypeID;
    });
  return isSame ? known : columnsOf(fields);
}

/**
 * V8 makes a hash table of an object that gets more than a dozen properties by computed names, which costs ten times as
 * much to make, to read and to copy. Those that JSON.parse makes have a shape.
 */
function emptyRow(names: readonly string[]): Record<string, unknown> {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
}

/** Columns of the schema: there are a few hundred. */
const camelCased = new Map<string, string>();

function camelCase(column: string): string {
  let name = camelCased.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelCased.set(column, name);
  }
  return name;
}

const parsersOfTypes = new Map<number, Parser>();

function parserOf(oid: number): Parser {
  let parser = parsersOfTypes.get(oid);
  if (parser === undefined) {
    parser = typeParsers.getTypeParser(oid) as Parser;
    parsersOfTypes.set(oid, parser);
  }
  return parser;
}

/** bigint comes back as a number, and fails loudly where that would round. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === pg.types.builtins.INT8) return safeInteger;
      if (oid === pg.types.builtins.TIMESTAMPTZ) return moment;
    }
    return pg.types.getTypeParser(oid, format as 'text');
  },
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond 2^53 - 1`);
  return value;
}

const anyMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as Parser;

/** `2026-01-31 08:05:00.123456+00`, as servers in UTC write moments of our time; any other goes the longer way. */
function moment(text: string): unknown {
  const { length } = text;
  if (text.charCodeAt(4) !== HYPHEN || length < 22 || length > 29 || !text.endsWith('+00')) {
    return anyMoment(text);
  }
  let ms = 0;
  for (let place = 20, unit = 100; place < length - 3 && unit >= 1; place++, unit /= 10) {
    ms += (text.charCodeAt(place) - ZERO) * unit;
  }
  const month = twoDigits(text, 5) - 1;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  // Date.UTC takes the first hundred years for those of the last century.
  if (year < 100) return anyMoment(text);
  return new Date(
    Date.UTC(
      year,
      month,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      ms,
    ),
  );
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO;
}

const HYPHEN = 0x2d;
const ZERO = 0x30;
