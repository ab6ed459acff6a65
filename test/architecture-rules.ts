import { posix } from 'node:path';
import { layerOf, layers, roomOf } from './rooms.ts';
import {
  codeOf,
  commentsOf,
  type Import,
  importsOf,
  lineOf,
  literalsOf,
  uncommented,
} from './source-text.ts';

/** Every file of the project: its path from the root, and its text. */
export type Sources = ReadonlyMap<string, string>;

/** Mistakes, one line each: where it is, and what to do about it. */
export type Rule = (sources: Sources) => string[];

/** Imports go down, never up. Only context.ts looks up, at types: it names what app.ts builds. */
export function importsGoDown(sources: Sources): string[] {
  return edges(sources).flatMap(({ path, target, line, typeOnly, names }) => {
    if (!target.startsWith('src/')) {
      if (path.startsWith('src/kit/db/') && target === 'db/schema.ts' && typeOnly) return [];
      // A dynamic import has no names: a simulator is loaded when it is asked for.
      if (path === 'src/main.ts' && target.startsWith('tools/') && names.length === 0) return [];
      return [`${path}:${line} imports ${target}: the service must run from src/ alone`];
    }
    const from = layerOf(path);
    const to = layerOf(target);
    if (from === -1)
      return [`${path} belongs to no layer: give it a place in test/architecture-rules.ts, or move it`];
    if (to <= from || (path === 'src/context.ts' && typeOnly)) return [];
    return [
      `${path}:${line} imports ${target}: "${layers[from]?.name}" may not know "${layers[to]?.name}". Move what both need down, or pass it in`,
    ];
  });
}

/** A client library runs anywhere with nothing else: it imports its own files. What is written by hand there is little. */
export function clientsStandAlone(sources: Sources): string[] {
  const home = 'sdk/typescript/src/';
  const files = [...sources].filter(([path]) => path.startsWith(home));
  return files.flatMap(([path, text]) => {
    const lines = lineOf(text, text.length);
    const long = path.startsWith(`${home}core/`) && lines > 151 ? [`${path} has ${lines} lines by hand`] : [];
    const foreign = importsOf(text).filter(
      ({ from }) => !from.startsWith('.') || !posix.join(posix.dirname(path), from).startsWith(home),
    );
    return [
      ...long,
      ...foreign.map(({ line, from }) => `${path}:${line} imports ${from}: the client stands alone`),
    ];
  });
}

/** No file imports itself by way of others, types included. */
export function noCycles(sources: Sources): string[] {
  const graph = new Map<string, string[]>();
  const files = typescript(sources, /^(?:src|web|sdk\/typescript\/src)\//).filter(([path]) => !isTest(path));
  for (const { path, target } of edgesOf(files)) graph.set(path, [...(graph.get(path) ?? []), target]);
  const cycles = new Map<string, string>();
  for (const start of graph.keys()) {
    const cycle = wayBack(graph, start);
    const name = [...(cycle ?? [])].sort().join();
    if (cycle === null || cycles.has(name)) continue;
    const way = [...cycle, start].join(' → ');
    cycles.set(name, `${way}: break the circle by moving what both need into a file of its own`);
  }
  return [...cycles.values()];
}

/** The shortest way from a file to itself. */
function wayBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

type Kind = 'routes' | 'verb' | 'sql' | 'schema' | 'job' | 'client';

/** What each kind of file in a room may import besides kit, and what as a type only. */
const kinds: Readonly<Record<Kind, { readonly values: string; readonly types: string }>> = {
  routes: { values: 'ground, verb, sql, schema', types: '' },
  verb: { values: 'ground, wallet, verb, sql, schema', types: '' },
  sql: { values: 'sql', types: 'verb, schema' },
  schema: { values: 'verb, schema', types: 'sql' },
  job: { values: 'ground, wallet, wallet client, verb, sql, schema, client', types: '' },
  client: { values: 'wallet', types: 'ground, verb, schema' },
};

/** Each kind of file in a room imports what its kind may. */
export function kindsImportTheirShare(sources: Sources): string[] {
  return edges(sources).flatMap(({ path, target, line, typeOnly }) => {
    const kind = kindOf(path);
    if (kind === null || /^src\/(kit|engine)\//.test(target)) return [];
    const what = natureOf(target);
    const allowed = `${kinds[kind].values}, ${typeOnly ? kinds[kind].types : ''}`.split(', ');
    if (allowed.includes(what)) return [];
    const may = `kit, engine, ${kinds[kind].values}${kinds[kind].types && `; as types: ${kinds[kind].types}`}`;
    return [`${path}:${line} imports ${target} (${what}): ${article(kind)} imports ${may}`];
  });
}

/** Each table is written by one room alone, whose *.sql.ts files hold the statements; others ask a function of these. */
export function tablesAreWrittenByOneRoom(sources: Sources): string[] {
  return [...writersOf(sources)].flatMap(([table, places]) =>
    places.size === 1
      ? []
      : [
          `${table} is written by ${[...places.values()].sort().join(' and ')}: one room writes a table, the others call a function of its *.sql.ts`,
        ],
  );
}

/** A table is read by the room that writes it and by those above. */
export function tablesAreReadFromAbove(sources: Sources): string[] {
  const writers = writersOf(sources);
  return program(sources).flatMap(([path, text]) => {
    if (roomOf(path) === null || !path.endsWith('.sql.ts')) return [];
    return [...tablesReadIn(text)].flatMap((table) =>
      [...(writers.get(table)?.values() ?? [])]
        .filter((writer) => layerOf(path) < layerOf(writer))
        .map(
          (writer) =>
            `${path} reads ${table}, which ${writer} writes: "${roomOf(path)}" may not know "${roomOf(writer)}". Move the statement up, or take that part of its text from above`,
        ),
    );
  });
}

/** The tables that statements of each folder of src/ write, in the order of the folders. */
export function tablesByFolder(sources: Sources): [folder: string, tables: string[]][] {
  const schema = sources.get('db/schema.sql') ?? '';
  const known = new Set([...schema.matchAll(/^create table (\w+)/gim)].map(([, table = '']) => table));
  const written = program(sources).flatMap(([path, text]) =>
    [...tablesWrittenIn(text)].filter((table) => known.has(table)).map((table) => ({ path, table })),
  );
  return [...Map.groupBy(written, ({ path }) => layerOf(path))]
    .sort(([one], [other]) => other - one)
    .map(([place, those]) => [
      layers[place]?.shown[0] ?? '',
      [...new Set(those.map(({ table }) => table))].sort(),
    ]);
}

/** The rooms that write each table, and a file of each that does. */
function writersOf(sources: Sources): Map<string, Map<string, string>> {
  const writers = new Map<string, Map<string, string>>();
  for (const [path, text] of program(sources)) {
    const room = roomOf(path);
    if (room === null || !path.endsWith('.sql.ts')) continue;
    for (const table of tablesWrittenIn(text)) {
      const places = writers.get(table) ?? new Map<string, string>();
      if (!places.has(room)) places.set(room, path);
      writers.set(table, places);
    }
  }
  return writers;
}

/** The tables that statements in a text read from, in snake case, and other names that stand where a table may. */
function tablesReadIn(text: string): Set<string> {
  return tablesIn(
    text,
    /\b(?:from|join|using)\s+(?:only\s+)?([a-z_]+)\b(?!\()/g,
    /\.(?:selectFrom|\w*[jJ]oin)\(\s*'(\w+)/g,
  );
}

/** The tables that statements in a text insert into, update or delete from, in snake case. */
function tablesWrittenIn(text: string): Set<string> {
  const written = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?([a-z_]+)\b(?!\()/g;
  const built = /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g;
  return tablesIn(text, written, built);
}

function tablesIn(text: string, inSql: RegExp, built: RegExp): Set<string> {
  const code = uncommented(text);
  return new Set([
    ...[...code.matchAll(inSql)].map(([, table = '']) => table).filter((table) => !notTables.has(table)),
    ...[...code.matchAll(built)].map(([, table = '']) =>
      table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    ),
  ]);
}

/** Words that follow "update" in ON CONFLICT and in a lock. */
const notTables = new Set(['set', 'of', 'skip', 'nowait']);

/** Only jobs call out. context.ts names the types of what app.ts builds. */
export function onlyJobsCallOut(sources: Sources): string[] {
  return edges(sources).flatMap(({ path, target, line, typeOnly }) => {
    if (!target.endsWith('.client.ts') || (path === 'src/context.ts' && typeOnly)) return [];
    const may = path.endsWith('.job.ts') || /^src\/(app|start\/open-wallets|jobs)\.ts$/.test(path);
    return may ? [] : [`${path}:${line} imports ${target}: slow or foreign work is a job (*.job.ts)`];
  });
}

/** The files of a room are of a known kind. */
export function kindsAreKnown(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => roomOf(path) !== null && kindOf(path) === null)
    .map(
      ([path]) =>
        `${path}: the kinds are a-verb.ts, *.sql.ts, *.schema.ts, *.job.ts, *.client.ts, *.test.ts and *.fixture.ts, in src/<room>/ or src/<room>/<noun>/`,
    );
}

/** Gives a native library, which reads the environment itself, the folder of the fonts. */
const writesTheEnvironment = 'src/kit/fonts/bundled-fonts.ts';

/** Only config.ts reads the environment. */
export function onlyConfigReadsTheEnvironment(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => path !== 'src/config.ts')
    .flatMap(([path, text]) => {
      const write = path === writesTheEnvironment ? '(?!\\.[A-Z_]+ = )' : '';
      const use = new RegExp(`\\bprocess\\s*(?:\\.|\\?\\.)\\s*env\\b${write}`, 'g');
      return matches(codeOf(text), use, text).map(
        (line) => `${path}:${line} reads process.env: add a setting to src/config.ts and pass it in`,
      );
    });
}

/** Only app.ts constructs; commands construct what they need before there is an app. */
export function onlyAppConstructs(sources: Sources): string[] {
  return edges(sources).flatMap(({ path, target, line, typeOnly, names }) => {
    const constructs = /^src\/(app\.ts|start\/|commands\/|kit\/|wallet\/|connectors\/)/.test(path);
    if (typeOnly || constructs) return [];
    // A verb with such a name is in the file of its name; a constructor is in that of the thing it makes.
    return names
      .filter((name) => /^(create|open|start)[A-Z]/.test(name) && !target.endsWith(`/${kebab(name)}.ts`))
      .map((name) => `${path}:${line} takes ${name} from ${target}: build it in src/app.ts and pass it in`);
  });
}

/** The web framework is named in kit/http only. */
export function frameworkStaysInKitHttp(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => !path.startsWith('src/kit/http/'))
    .flatMap(([path, text]) => [
      ...matches(codeOf(text), /fastify/gi, text).map(
        (line) => `${path}:${line} names Fastify: only src/kit/http may`,
      ),
      ...importsOf(text)
        .filter(({ from }) => /fastify/.test(from))
        .map(({ line, from }) => `${path}:${line} imports ${from}: only src/kit/http may`),
    ]);
}

/** Only kit/pictures/sharp.ts loads sharp, where the formats that it may read and its memory are bounded. */
export function sharpStaysInTheKit(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => path !== 'src/kit/pictures/sharp.ts')
    .flatMap(([path, text]) =>
      importsOf(text)
        .filter(({ from }) => from === 'sharp')
        .map(
          ({ line }) =>
            `${path}:${line} imports sharp: take it from loadSharp() of src/kit/pictures/sharp.ts`,
        ),
    );
}

/** Statements belong in *.sql.ts and kit/db. */
export function sqlStandsInSqlFiles(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => !/\.sql\.ts$|^src\/kit\/(?:db|citus)\//.test(path))
    .flatMap(([path, text]) => [
      ...matches(codeOf(text), /\.(?:selectFrom|insertInto|updateTable|deleteFrom|execute)\(/g, text).map(
        (line) => `${path}:${line} holds a statement: move it into a *.sql.ts file of its module`,
      ),
      ...importsOf(text)
        .filter(({ from, typeOnly }) => from === 'kysely' && !typeOnly)
        .map(
          ({ line }) =>
            `${path}:${line} imports kysely: statements belong in *.sql.ts, connections in kit/db`,
        ),
    ]);
}

/** A literal that is a method and a path, and nothing else, stands once: in routes.ts. Longer texts are prose. */
export function endpointsStandOnce(sources: Sources): string[] {
  const lines = new Map<string, number>();
  return program(sources).flatMap(([path, text]) =>
    literalsOf(text).flatMap(({ value, line }) => {
      if (!/^(GET|HEAD|POST|PUT|PATCH|DELETE) \/\S*$/.test(value)) return [];
      if (path !== 'src/routes.ts')
        return [`${path}:${line} spells '${value}': endpoints belong in src/routes.ts only`];
      const first = lines.get(value);
      lines.set(value, line);
      return first === undefined
        ? []
        : [`${path}:${line} lists '${value}' again: line ${first} has it already`];
    }),
  );
}

/** Console and scanner run in browsers: they import what they share, the client library, their packages, and files of src/kit/anywhere and src/kit/money that need nothing else; not each other, and nothing imports them. */
export function consoleStandsAlone(sources: Sources): string[] {
  const packages =
    /^(?:preact(?:\/hooks)?|@fontsource-variable\/inter\/wght\.css|@preact\/signals|csv-parse\/browser\/esm\/sync|idb|qr|zxing-wasm\/reader(?:\/zxing_reader\.wasm)?)$/;
  const isCode = (path: string) => /^(?:src|web|sdk\/typescript\/src)\/.*\.tsx?$/.test(path);
  return [...sources]
    .filter(([path]) => isCode(path))
    .flatMap(([path, text]) =>
      importsOf(text).flatMap(({ line, from }) => {
        const target = from.startsWith('.') ? posix.join(posix.dirname(path), from) : from;
        if (path.startsWith('src/kit/anywhere/') && !isTest(path))
          return target.startsWith('src/kit/anywhere/')
            ? []
            : [`${path}:${line} imports ${from}: browsers have no such thing`];
        const isWeb = path.startsWith('web/');
        if (!isWeb)
          return target.startsWith('web/') ? [`${path}:${line} imports ${from}: it is for browsers`] : [];
        const [, app = ''] = /^web\/(console|scanner)\//.exec(path) ?? [];
        const isOwn = new RegExp(
          `^(?:web/(?:shared|texts${app && `|${app}`})|sdk/typescript/src|src/kit/(?:anywhere|money))/`,
        ).test(target);
        return packages.test(target) || isOwn
          ? []
          : [`${path}:${line} imports ${from}: console and scanner stand alone`];
      }),
    );
}

/** The focus moves before the next key: `useEffect` runs after the paint, and what is typed until then is lost. */
export function focusMovesAtOnce(sources: Sources): string[] {
  return [...sources]
    .filter(([path]) => /^web\/.*\.tsx?$/.test(path))
    .flatMap(([path, text]) =>
      matches(codeOf(text), /\buseEffect\((?:(?!\n {2}\S)[\s\S])*?\.(?:focus|select|showModal)\(/g, text).map(
        (line) => `${path}:${line} moves the focus in useEffect: use useLayoutEffect`,
      ),
    );
}

/** Files are short enough to be read at one go: 300 lines; tests, fixtures, fakes and the table of contents 600. */
export function filesAreShort(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (!/^(src|web|tools|test|scripts|bench)\/.*\.(tsx?|css)$/.test(path)) return [];
    const limit = isTest(path) || /^(?:test\/|tools\/fakes\/|src\/routes\.ts$)/.test(path) ? 600 : 300;
    const lines = lineOf(text, text.length) - (text.endsWith('\n') ? 1 : 0);
    return lines > limit ? [`${path} has ${lines} lines, ${limit} are allowed: split it by subject`] : [];
  });
}

/** Files are named after what they do, in kebab-case; a drawer without a subject has no name. */
export function namesSaySomething(sources: Sources): string[] {
  const drawers =
    /(?:^|[/.-])(?:utils?|helpers?|types?|index|common|misc|constants|interfaces|stuff)(?=[/.]|$)/;
  return [...sources.keys()]
    .filter((path) => /^(src|web|tools|test|scripts|bench)\/.*\.tsx?$/.test(path))
    .flatMap((path) => {
      if (drawers.test(path))
        return [`${path}: name it after what it does, not after what kind of thing it is`];
      return /^[a-z0-9/.-]+$/.test(path) ? [] : [`${path}: file names are kebab-case`];
    });
}

const bannedWords: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\bexport\s+default\b|\bas\s+default\b/g, 'a default export: name it'],
  [/^\s*@[A-Za-z]/gm, 'a decorator: call a function'],
  [/\benum\s+\w+\s*\{/g, 'an enum: use an `as const` object or a union of strings'],
  [/\bnamespace\s+\w+\s*\{/g, 'a namespace: use a file'],
  [/(?<![.\w$])any\b(?!\s*[:(])/g, '`any`: use `unknown`, or the type'],
  [/[\w)\]]!(?![=\w])/g, 'a non-null `!`: handle the missing case'],
];

/** Checks that may be switched off: where, and which. */
const silenced: Readonly<Record<string, string>> = {
  'tools/validator/zip-reader.ts': 'noControlCharactersInRegex',
  // JSON bodies of any shape.
  'test/http-verbs.ts': 'noExplicitAny',
};

/** No default exports, decorators, enums, `any` or `!`, and no check switched off in passing. */
export function plainLanguage(sources: Sources): string[] {
  return typescript(sources).flatMap(([path, text]) => {
    const code = codeOf(text);
    const words = bannedWords.flatMap(([pattern, advice]) =>
      advice.startsWith('`any`') && silenced[path] === 'noExplicitAny'
        ? []
        : matches(code, pattern, text).map((line) => `${path}:${line} has ${advice}`),
    );
    const switches = commentsOf(text)
      .filter(({ value }) => /@ts-(?:ignore|nocheck|expect-error)|biome-ignore/.test(value))
      .filter(({ value }) => silenced[path] === undefined || !value.includes(silenced[path]))
      .map(
        ({ line }) =>
          `${path}:${line} switches a check off: mend the code, or list it in test/architecture-rules.ts`,
      );
    return [...words, ...switches];
  });
}

/** Answers are typed from the verb to the edge: no code casts one to fit, or reads it from another's JSON. */
export function answersAreTyped(sources: Sources): string[] {
  const casts = program(sources).flatMap(([path, text]) =>
    matches(codeOf(text), /\bas\s+never\b/g, text).map(
      (line) => `${path}:${line} casts to never: give the verb a type that fits what the endpoint declares`,
    ),
  );
  const parsed = program(sources)
    .filter(([path]) => roomOf(path) !== null)
    .flatMap(([path, text]) =>
      matches(codeOf(text), /\bJSON\.parse\([^;]*?\b(?:body|json|answers?|answered|outcome)\b/g, text).map(
        (line) => `${path}:${line} parses an answer: ask the verb for its value`,
      ),
    );
  return [...casts, ...parsed];
}

/** Words of the product that mean nothing else: in the kit not even a comment has them. */
const ownWords =
  /\b(?:loyalty|workspaces?|coupons?|punchcard|wallets?|rewards?|memberships?|pkpass|shopify|woocommerce|apns)\b/gi;
/** Words of the product that are also plain English or API: the kit names nothing by them. */
const nouns =
  /^(?:pass|passes|instances?|holders?|cards?|stamps|coupons?|partners?|invites?|credits?|barcodes?|workspaces?|loyalty|rewards?|wallets?)$/;
const kitMayName: Readonly<Record<string, RegExp>> = {
  // Names of the framework and of its validator.
  'src/kit/http/': /^FastifyInstance$|^instancePath$/,
  // The shard key, which stands first in every table that the kit has.
  'src/kit/citus/': /^workspaceIds?$|^workspace_id$/,
  'src/kit/db/': /^workspaceIds?$|^workspace_id$/,
};

/** The kit could serve any product: it holds no word of this one. */
export function kitKnowsNoProduct(sources: Sources): string[] {
  return program(sources)
    .filter(([path]) => path.startsWith('src/kit/'))
    .flatMap(([path, text]) => {
      const mayName = Object.entries(kitMayName).find(([folder]) => path.startsWith(folder))?.[1];
      const identifiers = [...codeOf(text).matchAll(/[A-Za-z_$][\w$]*/g)]
        .filter(([name]) => mayName?.test(name) !== true && wordsOf(name).some((word) => nouns.test(word)))
        .map(({ 0: name, index }) => ({ name, line: lineOf(text, index) }));
      const texts = [...literalsOf(text), ...commentsOf(text)].flatMap(({ value, line }) =>
        (value.match(ownWords) ?? [])
          .filter((name) => !(/^src\/kit\/(?:db|citus)\//.test(path) && /^workspace$/i.test(name)))
          .map((name) => ({ name, line })),
      );
      return [...identifiers, ...texts].map(
        ({ name, line }) => `${path}:${line} says "${name}": the kit knows nothing of the product`,
      );
    });
}

function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_');
}

interface Edge extends Import {
  readonly path: string;
  /** The imported file. */
  readonly target: string;
}

/** Imports between files of the project, from the program's own files. */
function edges(sources: Sources): Edge[] {
  return edgesOf(program(sources));
}

function edgesOf(files: [path: string, text: string][]): Edge[] {
  return files.flatMap(([path, text]) =>
    importsOf(text)
      .filter(({ from }) => from.startsWith('.'))
      .map((found) => ({ ...found, path, target: posix.join(posix.dirname(path), found.from) })),
  );
}

/** The files that run in production. */
export function program(sources: Sources): [path: string, text: string][] {
  return typescript(sources).filter(([path]) => path.startsWith('src/') && !isTest(path));
}

function typescript(
  sources: Sources,
  places = /^(?:src|web|sdk\/typescript|tools|test|scripts|bench)\//,
): [path: string, text: string][] {
  return [...sources].filter(([path]) => places.test(path) && /\.tsx?$/.test(path));
}

function isTest(path: string): boolean {
  return /\.(test|fixture)\.ts$/.test(path);
}

/** The kind of a room's file; null where it is none. */
export function kindOf(path: string): Kind | null {
  const room = roomOf(path);
  const file = /^src\/[\w-]+\/(?:[\w-]+\/)?([\w.-]+)\.ts$/.exec(path)?.[1];
  if (room === null || file === undefined) return null;
  const [, suffix] = file.split('.');
  if (suffix === undefined) return room === 'api' ? 'routes' : 'verb';
  return suffix === 'sql' || suffix === 'schema' || suffix === 'job' || suffix === 'client' ? suffix : null;
}

/** What a file is to those that import it: `sql`, `verb`, `wallet`, `ground` … */
function natureOf(target: string): string {
  const kind = kindOf(target);
  if (kind !== null) return kind;
  const { name } = layers[layerOf(target)] ?? { name: 'nothing of the layers' };
  if (name.startsWith('wallet')) return target.endsWith('.client.ts') ? 'wallet client' : 'wallet';
  return name.startsWith('ground') ? 'ground' : name;
}

function article(kind: Kind): string {
  if (kind === 'routes') return 'a file of src/api';
  return kind === 'verb' ? 'a verb' : `a *.${kind}.ts file`;
}

/** `earnPoints` → `earn-points`. */
function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The lines of the source in which a pattern is found. */
function matches(searched: string, pattern: RegExp, source: string): number[] {
  return [...searched.matchAll(pattern)].map(({ index }) => lineOf(source, index));
}
