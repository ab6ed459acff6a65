import { connectionCost, ownCost, type PlannedField } from './shopify-store-plan.ts';
import { isConnection } from './shopify-store-schema.ts';

/** An object before it is read: its values by name, or functions of the arguments that give them. */
export type Source = Readonly<Record<string, unknown>>;

/** A page of objects, before any of their fields is read. */
export interface Listing {
  readonly items: readonly Source[];
  /** Where a page after that item begins. */
  cursorOf(index: number): string;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** What was read, and the points that it took. */
export interface QueryResult {
  readonly data: Record<string, unknown>;
  readonly cost: number;
}

/** Reads the planned fields of an object. */
export function readFields(fields: readonly PlannedField[], source: Source, type = 'QueryRoot'): QueryResult {
  const counter = { cost: 0 };
  return { data: readObject(fields, source, type, counter), cost: counter.cost };
}

/** All items of an object in pages, such as the lines of an order. */
export function listing(items: readonly Source[], args: Readonly<Record<string, unknown>>): Listing {
  const start = typeof args.after === 'string' ? Number(Buffer.from(args.after, 'base64').toString()) + 1 : 0;
  const ordered = args.reverse === true ? items.toReversed() : items;
  const end = start + Number(args.first);
  return {
    items: ordered.slice(start, end),
    cursorOf: (index) => Buffer.from(String(start + index)).toString('base64'),
    hasNextPage: end < ordered.length,
    hasPreviousPage: start > 0,
  };
}

interface Counter {
  cost: number;
}

function readObject(
  fields: readonly PlannedField[],
  source: Source,
  type: string,
  counter: Counter,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    result[field.key] = field.name === '__typename' ? type : readField(field, source, counter);
  }
  return result;
}

function readField(field: PlannedField, source: Source, counter: Counter): unknown {
  const found = source[field.name];
  if (found === undefined) throw new Error(`the simulated store forgot ${field.parent}.${field.name}`);
  const value: unknown = typeof found === 'function' ? found(field.arguments) : found;
  const { fields, type, isList } = field;
  if (value === null || fields === null) return value;
  if (isConnection(type)) return readConnection(fields, value as Listing, type, counter);
  if (isList) return (value as Source[]).map((item) => readOne(field, fields, item, counter));
  return readOne(field, fields, value as Source, counter);
}

function readOne(
  field: PlannedField,
  fields: readonly PlannedField[],
  source: Source,
  counter: Counter,
): Record<string, unknown> {
  counter.cost += ownCost(field);
  return readObject(fields, source, field.type, counter);
}

function readConnection(
  fields: readonly PlannedField[],
  page: Listing,
  type: string,
  counter: Counter,
): Record<string, unknown> {
  counter.cost += connectionCost;
  const { items, cursorOf, hasNextPage, hasPreviousPage } = page;
  const source: Source = {
    nodes: items,
    edges: () => items.map((node, index) => ({ node, cursor: () => cursorOf(index) })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: () => (items.length > 0 ? cursorOf(0) : null),
      endCursor: () => (items.length > 0 ? cursorOf(items.length - 1) : null),
    },
  };
  return readObject(fields, source, type, counter);
}
