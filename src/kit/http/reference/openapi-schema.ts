import { documentOf } from '../schemas/documented.ts';

/** A JSON Schema (2020-12) as plain JSON. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/** Collects the schemas that have a name. */
export interface SchemaPool {
  /**
   * The schema as plain JSON, each part with an `$id` replaced by a reference to
   * `#/components/schemas/<$id>`. Throws when two different schemas have the same `$id`.
   */
  add(schema: object): JsonSchema;
  /** All named schemas; throws when a reference leads nowhere. */
  schemas(): Record<string, JsonSchema>;
}

const PREFIX = '#/components/schemas/';
/** Keywords that hold data, not schemas: copied as they are. */
const DATA = new Set(['const', 'enum', 'default', 'example', 'examples', 'required', 'type']);
/** Keywords that hold schemas by name. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas']);

export function createSchemaPool(): SchemaPool {
  const named = new Map<string, JsonSchema>();
  const wanted = new Set<string>();

  function add(said: object): JsonSchema {
    const schema = documentOf(said);
    const { $id } = schema as { $id?: unknown };
    const plain = simplified(keywords(schema));
    if (typeof $id !== 'string') return plain;
    if (!/^[\w.-]+$/.test($id)) throw new Error(`schema $id "${$id}" cannot be a component name`);
    const before = named.get($id);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(plain)) {
      throw new Error(`two different schemas have the $id "${$id}"`);
    }
    named.set($id, plain);
    return { $ref: PREFIX + $id };
  }

  function keywords(schema: object): Record<string, unknown> {
    const plain: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword.startsWith('~') || keyword === '$id' || value === undefined) continue;
      if (keyword === '$defs') for (const part of Object.values(value)) add(part as object);
      else if (keyword === '$ref') plain.$ref = reference(String(value));
      else if (keyword === 'items' && Array.isArray(value)) plain.prefixItems = value.map(add);
      else if (keyword === 'additionalItems') plain.items = nested(value);
      else if (MAPS.has(keyword)) plain[keyword] = byName(value);
      else plain[keyword] = DATA.has(keyword) ? structuredClone(value) : nested(value);
    }
    return withAnyName(plain);
  }

  function nested(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(nested);
    return typeof value === 'object' && value !== null ? add(value) : value;
  }

  function byName(schemas: object): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, add(schema)]));
  }

  function reference(target: string): string {
    const name = target.startsWith(PREFIX) ? target.slice(PREFIX.length) : target;
    wanted.add(name);
    return PREFIX + name;
  }

  return {
    add,
    schemas() {
      for (const name of wanted) if (!named.has(name)) throw new Error(`no schema has the $id "${name}"`);
      return Object.fromEntries([...named].sort(([one], [two]) => (one < two ? -1 : 1)));
    },
  };
}

/** Properties of any name are `additionalProperties`. */
function withAnyName(schema: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, ...rest } = schema;
  const value = (patternProperties as Record<string, unknown> | undefined)?.['^.*$'];
  return value === undefined ? schema : { ...rest, additionalProperties: value };
}

/** Unions as a reader expects them: of constants an `enum`, of something simple and null a second `type`. */
function simplified(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (anyOf === undefined) return schema;
  const [first] = anyOf;
  if (first?.type !== undefined && anyOf.every((part) => isConstant(part) && part.type === first.type)) {
    return { ...rest, type: first.type, enum: anyOf.map((part) => part.const) };
  }
  const real = anyOf.filter((part) => part.type !== 'null');
  const [only] = real;
  if (anyOf.length !== 2 || real.length !== 1 || typeof only?.type !== 'string' || 'const' in only)
    return schema;
  const values = only.enum === undefined ? {} : { enum: [...only.enum, null] };
  return { ...rest, ...only, ...values, type: [only.type, 'null'] };
}

function isConstant(schema: JsonSchema): boolean {
  return (
    Object.keys(schema).every((keyword) => keyword === 'type' || keyword === 'const') && 'const' in schema
  );
}
