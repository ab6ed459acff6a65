import type pg from 'pg';

/**
 * The schema as SQL, in a fixed order and the same on every PostgreSQL version, each comment above what it is on: the golden
 * db/schema.sql.
 */
export async function dumpSchemaSql(pool: pg.Pool | pg.ClientBase): Promise<string> {
  const columns = await columnsOf(pool);
  const constraints = await lines(
    pool,
    `select c.relname as "table", pg_get_constraintdef(k.oid) as line
     from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c')
     order by c.relname, position(k.contype in 'pufc'), line`,
  );
  const indexes = await lines(
    pool,
    `select i.tablename as "table", i.indexdef as line from pg_indexes i
     where i.schemaname = 'public' and not exists (select from pg_constraint k where k.conname = i.indexname)
     order by i.indexname`,
  );
  const triggers = await lines(
    pool,
    `select c.relname as "table", pg_get_triggerdef(t.oid) as line
     from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal order by t.tgname`,
  );
  const functions = await pool.query<{ line: string }>(
    `select pg_get_functiondef(oid) as line from pg_proc where pronamespace = 'public'::regnamespace order by proname`,
  );
  const comments = await lines(
    pool,
    `select c.relname as "table", d.description as line
     from pg_class c join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const tables = [...columns].map(([table, list]) => {
    const inside = [
      ...list.map(
        ({ name, type, required, extra, comment }) =>
          `${commentLines(comment, '  ')}  ${name} ${type}${required ? ' not null' : ''}${extra}`,
      ),
      ...(constraints.get(table) ?? []).map((line) => `  ${line}`),
    ];
    const after = [...(indexes.get(table) ?? []), ...(triggers.get(table) ?? [])];
    return [
      `${commentLines(comments.get(table)?.[0] ?? null, '')}create table ${table} (\n${inside.join(',\n')}\n);`,
      ...after.map((line) => `${line};`),
    ].join('\n');
  });
  return `${[...functions.rows.map((row) => `${row.line.trim()};`), ...tables].join('\n\n')}\n`;
}

/** The schema as Kysely's table types, camelCase: db/schema.ts. */
export async function dumpSchemaTypes(pool: pg.Pool): Promise<string> {
  const columns = await columnsOf(pool);
  const tables = [...columns].map(([table, list]) => {
    const body = list.map((column) => `  ${camelCase(column.name)}: ${tsType(column)};`).join('\n');
    return {
      name: `${pascalCase(table)}Table`,
      key: camelCase(table),
      text: `interface ${pascalCase(table)}Table {\n${body}\n}`,
    };
  });
  return [
    "// Printed from the migrated database by scripts/dump-schema.ts; compared with it in the tests.\nimport type { ColumnType, Generated, GeneratedAlways } from 'kysely';\n",
    '/** A column of JSON: parsed when read, JSON text when written. */\ntype Json = ColumnType<unknown, string, string>;\n/** A list of them. */\ntype Jsons = ColumnType<unknown[], string[] | undefined, string[]>;\n',
    `export interface Schema {\n${tables.map((table) => `  ${table.key}: ${table.name};`).join('\n')}\n}\n`,
    ...tables.map((table) => `${table.text}\n`),
  ].join('\n');
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly extra: string;
  readonly comment: string | null;
}

async function columnsOf(pool: pg.Pool | pg.ClientBase): Promise<Map<string, Column[]>> {
  const { rows } = await pool.query<Column & { table: string }>(
    `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as required,
       case when a.attidentity = 'a' then ' generated always as identity'
            else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end as extra,
       col_description(c.oid, a.attnum) as comment
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
     order by c.relname, a.attnum`,
  );
  return Map.groupBy(rows, (row) => row.table) as Map<string, Column[]>;
}

async function lines(pool: pg.Pool | pg.ClientBase, query: string): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ table: string; line: string }>(query);
  const grouped = Map.groupBy(rows, (row) => row.table);
  return new Map([...grouped].map(([table, list]) => [table, list.map((row) => row.line)]));
}

/** A comment as lines of SQL, broken between words; nothing where there is none. */
function commentLines(comment: string | null, indent: string): string {
  if (comment === null) return '';
  const broken: string[] = [];
  for (const word of comment.split(' ')) {
    const longer = `${broken.at(-1)} ${word}`;
    if (broken.length > 0 && longer.length <= widest - indent.length) broken[broken.length - 1] = longer;
    else broken.push(word);
  }
  return broken.map((line) => `${indent}-- ${line}\n`).join('');
}

const widest = 117;

function tsType(column: Column): string {
  const base = tsTypes[column.type];
  if (base === undefined) throw new Error(`no TypeScript type for ${column.type}`);
  const type = column.required ? base : `${base} | null`;
  if (column.extra.includes('identity')) return `GeneratedAlways<${type}>`;
  return column.extra === '' || base.startsWith('Json') ? type : `Generated<${type}>`;
}

const tsTypes: Record<string, string> = {
  uuid: 'string',
  date: 'Date',
  numeric: 'string',
  'text[]': 'string[]',
  'uuid[]': 'string[]',
  text: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  'double precision': 'number',
  bigint: 'number',
  'bigint[]': 'number[]',
  bytea: 'Buffer',
  jsonb: 'Json',
  'jsonb[]': 'Jsons',
  json: 'Json',
  'timestamp with time zone': 'Date',
  'timestamp with time zone[]': 'Date[]',
};

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}
