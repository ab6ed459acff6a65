import { posix } from 'node:path';
import { program, type Sources } from './architecture-rules.ts';
import { lineOf, uncommented } from './source-text.ts';

/** Writes that are carried out by a verb of another name: many cards share the code of one. */
const verbsElsewhere: Readonly<Record<string, string>> = {
  issueBatch: 'issueMany',
  importInstances: 'importMany',
  earnBatch: 'earnPoints',
  adjustBatch: 'adjustPoints',
};

/** One name from the URL to the log line: the endpoint, its `op`, its verb and its audit action. */
export function oneNameThroughout(sources: Sources): string[] {
  const contents = sources.get('src/routes.ts') ?? '';
  const lines = [...contents.matchAll(/\broute\(\s*'([A-Z]+) [^']+',\s*'[^']+',\s*(\w+)\.(\w+),?\s*\)/g)];
  const ops = new Set(lines.map(([, , , op = '']) => op));
  const named = program(sources)
    .filter(([path]) => /^src\/api\/[\w-]+\.ts$/.test(path))
    .flatMap(([path, text]) =>
      [...text.matchAll(/^export const (\w+) = (?:(\w+)\(\{\s*op: '(\w+)')?/gm)].flatMap((match) => {
        const [, name = '', , op] = match;
        const at = `${path}:${lineOf(text, match.index)}`;
        if (op === undefined) return [`${at} exports ${name}, which is no endpoint that begins with its op`];
        if (op !== name) return [`${at} calls the endpoint ${name} but its op ${op}: one name for both`];
        return ops.has(op) ? [] : [`${at} describes ${op}, which src/routes.ts does not list`];
      }),
    );
  const exporters = verbsIn(sources);
  const verbs = lines.flatMap(([, method, file = '', op = '']) => {
    if (method === 'GET') return [];
    const verb = verbsElsewhere[op] ?? op;
    const count = exporters.get(verb)?.length ?? 0;
    if (count !== 1)
      return [
        `src/routes.ts lists the write ${file}.${op}, but ${count} files of the rooms export ${verb}: a verb has its operation's name, once`,
      ];
    const needless = verbsElsewhere[op] !== undefined && exporters.has(op);
    return needless ? [`${op} is listed in test/project-rules.ts although a verb has its name`] : [];
  });
  const actions = program(sources).flatMap(([path, text]) =>
    [...text.matchAll(/\baction: '(\w+)'/g)]
      .filter(([, action = '']) => !ops.has(action))
      .map(
        (match) =>
          `${path}:${lineOf(text, match.index)} audits "${match[1]}", which is no operation of src/routes.ts`,
      ),
  );
  return [...named, ...verbs, ...actions];
}

/** The functions and constants that files of the rooms below src/api export, with these files. */
function verbsIn(sources: Sources): Map<string, string[]> {
  const exporters = new Map<string, string[]>();
  for (const [path, text] of program(sources)) {
    if (
      !/^src\/(?!api\/|kit\/|wallet\/|connectors\/|engine\/)[\w-]+\//.test(path) ||
      /\.(sql|schema)\.ts$/.test(path)
    )
      continue;
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm))
      exporters.set(name, [...(exporters.get(name) ?? []), path]);
  }
  return exporters;
}

/**
 * Tables that belong to no workspace: a key's secret says whose it is; a person may belong to several; a device has cards of several and names none when it
 * asks; what Google and Apple allow, they allow the whole installation.
 */
const directories = new Set([
  'api_key_secrets',
  'apple_device_workspaces',
  'apple_logs',
  'google_nonces',
  'google_pace',
  'oidc_identities',
  'passkeys',
  'people',
  'sessions',
  'sign_in_links',
  'used_challenges',
  'wallet_stops',
]);

/** Keys and indexes that list what a workspace has; a primary key by the name of its table. */
const listsOfWorkspaces = new Set([
  'holders_to_reread',
  'api_keys_of_workspace',
  'apple_identities_of_workspace',
  'apple_signing_keys_of_workspace',
  'audit_log',
  'credit_entries',
  'devices_of_workspace',
  'event_log',
  'google_identities_of_workspace',
  'google_objects_due_of_workspace',
  'invites_due',
  'ledger_audits',
  'memberships_of_workspace',
  'orders_of_workspace',
  'partners_of_workspace',
  'passes_by_status',
  'passes_of_workspace',
  'programs_of_workspace',
  'pushes_skipped',
  'request_log_of_workspace',
  'store_webhooks_due',
  'stores_of_workspace',
  'webhook_claims',
  'webhooks_of_workspace',
]);

/**
 * Every key, unique index and foreign key contains workspace_id, so that the tables can be distributed by it. But only
 * what lists a workspace begins with it: of indexes that begin alike, a planner without statistics takes any.
 */
export function tenancyIsVisible(sources: Sources): string[] {
  const schema = sources.get('db/schema.sql') ?? '';
  const tables = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)^\);/gim)];
  if (tables.length === 0) return ['db/schema.sql lists no table: print it with scripts/dump-schema.ts'];
  const withoutKey = tables
    .filter(([, , body = '']) => !/^\s*PRIMARY KEY/im.test(body))
    .map(([, table]) => `db/schema.sql: ${table} has no primary key`);
  const keys = [...constraintsOf(tables), ...indexesOf(schema)];
  const withoutWorkspace = keys
    .filter(({ mustHold, columns }) => mustHold && !columns.includes('workspace_id'))
    .map(({ title }) => `db/schema.sql: ${title} lacks workspace_id`);
  const lists = new Set(
    keys
      .filter(({ isRead, columns }) => isRead && columns.length > 1 && columns[0] === 'workspace_id')
      .map(({ name }) => name),
  );
  return [
    ...withoutKey,
    ...withoutWorkspace,
    ...[...lists]
      .filter((name) => !listsOfWorkspaces.has(name))
      .map(
        (name) =>
          `db/schema.sql: ${name} begins with workspace_id: begin it with what distinguishes rows; a list of a workspace belongs into test/project-rules.ts`,
      ),
    ...[...listsOfWorkspaces]
      .filter((name) => new RegExp(`\\b${name}\\b`).test(schema) && !lists.has(name))
      .map((name) => `test/project-rules.ts lists ${name}, which does not begin with workspace_id`),
  ];
}

interface Key {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly string[];
  /** Whether it has to contain workspace_id. */
  readonly mustHold: boolean;
  /** Whether rows are found by it. */
  readonly isRead: boolean;
}

function constraintsOf(tables: readonly RegExpMatchArray[]): Key[] {
  return tables.flatMap(([, table = '', body = '']) =>
    [...body.matchAll(/^\s*(PRIMARY KEY|UNIQUE|FOREIGN KEY) \(([^)]*)\)(?: REFERENCES (\w+))?/gim)].map(
      ([, kind = '', columns = '', target = table]) => ({
        name: table,
        title: `the ${kind} of ${table}`,
        columns: columns.split(', '),
        mustHold: !directories.has(table) || !directories.has(target),
        isRead: !/foreign/i.test(kind),
      }),
    ),
  );
}

function indexesOf(schema: string): Key[] {
  const all = schema.matchAll(/^create (unique )?index (\w+) on (?:\w+\.)?(\w+) using \w+ \((.*)\)/gim);
  return [...all].map(([, unique, name = '', table = '', columns = '']) => ({
    name,
    title: `the unique index ${name}`,
    columns: columns.replace(/\) WHERE .*/, '').split(', '),
    mustHold: unique !== undefined && !directories.has(table),
    isRead: true,
  }));
}

/**
 * Every table has a comment, which is printed above it, and what comments name as a table or column is there: a word with an
 * underscore, or `table.column`. Values are in quotation marks.
 */
export function tablesAreExplained(sources: Sources): string[] {
  const schema = sources.get('db/schema.sql') ?? '';
  const tables = [...schema.matchAll(/((?:^--.*\n)*)^create table (\w+) \(\n([\s\S]*?)^\);/gm)].map(
    ([, comment = '', table = '', body = '']) => ({
      table,
      comment,
      text: `${comment}${body.match(/^ *--.*$/gm)?.join('\n') ?? ''}`,
      columns: new Set([...body.matchAll(/^ {2}([a-z]\w*) /gm)].map(([, column = '']) => column)),
    }),
  );
  const columnsOf = new Map(tables.map(({ table, columns }) => [table, columns]));
  return tables.flatMap(({ table, comment, text, columns }) => {
    const named = text.replace(/(?<!\w)'[^'\n]*'/g, '').matchAll(/\b(?:([a-z_]+)\.)?([a-z]+(?:_[a-z]+)*)\b/g);
    const gone = [...named].filter(([, owner, name = '']) =>
      owner === undefined
        ? name.includes('_') && !columns.has(name) && !columnsOf.has(name)
        : !columnsOf.get(owner)?.has(name),
    );
    return [
      ...(comment === '' ? [`db/schema.sql: ${table} has no comment: COMMENT ON TABLE in a migration`] : []),
      ...gone.map(([name]) => `db/schema.sql: a comment of ${table} names ${name}, which is not there`),
    ];
  });
}

/** Migrations are numbered, each number once: db/migrations/0001_name.sql. A number that is missing is a branch's. */
export function migrationsAreNumbered(sources: Sources): string[] {
  const taken = new Set<string>();
  return [...sources.keys()].sort().flatMap((path) => {
    if (!path.startsWith('db/migrations/')) return [];
    const number = /^db\/migrations\/(\d{4})_[a-z0-9_]+\.sql$/.exec(path)?.[1];
    if (number === undefined) return [`${path} should be db/migrations/0001_what_it_does.sql`];
    if (taken.has(number)) return [`${path} has the number of another migration`];
    taken.add(number);
    return [];
  });
}

const publicRegistry = 'https://registry.npmjs.org/';

/** Packages with a flaw that this project must not inherit. */
const unwanted = ['ip', 'private-ip', 'axios', 'got-ssrf'];

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * package.json names exact versions; the lock file is complete, says by a hash what each package is, names no registry but
 * the public one, and is free of packages with known flaws.
 */
export function dependenciesAreExact(sources: Sources): string[] {
  const manifest = JSON.parse(sources.get('package.json') ?? '{}') as Record<string, Record<string, string>>;
  const lock = JSON.parse(sources.get('package-lock.json') ?? '{}') as { packages?: Record<string, Locked> };
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `package.json: ${name} is "${version}": pin an exact version`),
  );
  const present = Object.keys(lock.packages ?? {}).map((path) => path.replace(/^.*node_modules\//, ''));
  const flawed = unwanted
    .filter((name) => present.includes(name))
    .map((name) => `package-lock.json holds "${name}", which is known to get addresses wrong: do without it`);
  // A registry that lacks a platform's package makes npm leave it out, and npm ci then refuses the whole file.
  const absent = Object.entries(lock.packages ?? {}).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !present.includes(name))
      .map((name) => `package-lock.json: ${path} may need ${name}, which has no entry: npm ci will fail`),
  );
  const packages = Object.entries(lock.packages ?? {}).filter(([path]) => path !== '');
  const unproved = packages
    .filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))
    .map(([path]) => `package-lock.json: ${path} has no integrity: take its entry anew from the registry`);
  const elsewhere = packages
    .filter(([, { resolved = publicRegistry }]) => !resolved.startsWith(publicRegistry))
    .map(([path]) => `package-lock.json: ${path} is resolved elsewhere than at ${publicRegistry}`);
  return [...loose, ...flawed, ...absent, ...unproved, ...elsewhere];
}

/** What documents name as a file or folder of the project exists, and so do the headings that they lead to. */
export function documentsNameWhatExists(sources: Sources): string[] {
  const paths = [...sources.keys()];
  const exists = (path: string) =>
    sources.has(path) || paths.some((known) => known.startsWith(`${path.replace(/\/$/, '')}/`));
  return [...sources]
    .filter(([path]) => /^((docs|docs\/guides|src|test|web)\/)?[\w-]+\.md$/.test(path))
    .flatMap(([document, text]) => {
      const named = [...text.matchAll(/(?<![\w./{:-])(?:src|test|db|docs|scripts|bench|\.ci)\/[\w./*<>-]*/g)]
        .map((match) => ({ path: match[0].replace(/[.,]+$/, ''), heading: undefined, at: match.index }))
        .filter(({ path }) => !/[*<]/.test(path));
      const links = text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g);
      const linked = [...links].map(({ 1: path, 2: heading, index }) => ({
        path: path === '' ? document : posix.join(posix.dirname(document), path ?? ''),
        heading,
        at: index,
      }));
      return [...named, ...linked].flatMap(({ path, heading, at }) => {
        const where = `${document}:${lineOf(text, at)} names`;
        if (!exists(path)) return [`${where} ${path}, which does not exist`];
        const known = heading === undefined || anchorsOf(sources.get(path) ?? '').has(heading);
        return known ? [] : [`${where} the heading #${heading} of ${path}, which is not there`];
      });
    });
}

/** The headings of a document as links name them. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** Statements compare texts as the program has folded them: what lower() does is a matter of the database's locale. */
export function textsAreFoldedByTheProgram(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => path.endsWith('.sql.ts'))
    .flatMap(([path, text]) => {
      const code = uncommented(text);
      const found = code.matchAll(
        /\b(?:lower|upper|initcap|casefold|unaccent)\s*\(|\bilike\b|~\*|\bcitext\b/gi,
      );
      return [...found].map(
        ({ index }) =>
          `${path}:${lineOf(code, index)} folds text in the database: compare a column that the program has folded (src/kit/text/fold.ts)`,
      );
    });
}
