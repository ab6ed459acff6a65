import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Rule } from './architecture-rules.ts';
import * as architecture from './architecture-rules.ts';
import { currenciesAreOfOneTable } from './currency-rules.ts';
import * as days from './day-rules.ts';
import * as language from './language-rules.ts';
import * as project from './project-rules.ts';
import { stylesStayInTheirArea } from './style-rules.ts';

const table = '-- One thing.\ncreate table t (\n  PRIMARY KEY (id, workspace_id)\n);\n';
const line = "route('GET /me', 'any key', keys.getMe),\n";

/**
 * Each rule by its name, with small projects that break it: the file, its text, and what the rule must say. A rule
 * that finds nothing in its bad examples would find nothing anywhere.
 */
const rules: readonly (readonly [name: string, rule: Rule, ...bad: Bad[]])[] = [
  [
    'imports go down, never up',
    architecture.importsGoDown,
    [{ 'src/kit/ids.ts': "import { routes } from '../routes.ts';" }, /"kit" may not know "contents pages"/],
    [{ 'src/kit/ids.ts': "import type { App } from '../context.ts';" }, /"kit" may not know "ground/],
    [
      { 'src/engine/due.sql.ts': "import { earnPoints } from '../loyalty/earn-points.ts';" },
      /"ground of the rooms" may not know "loyalty"/,
    ],
    [
      { 'src/kit/processes/worker.ts': "import { lease } from '../../engine/due.sql.ts';" },
      /"kit" may not know "ground/,
    ],
    [{ 'src/wallet/zip.ts': "export { a } from '../passes/a.ts';" }, /may not know "passes"/],
    [{ 'src/ledger/a.ts': "import { b } from '../cards/b.ts';" }, /"ledger" may not know "cards"/],
    [{ 'src/cards/b.ts': "const app = await import('../app.ts');" }, /may not know "wiring"/],
    [{ 'src/context.ts': "import { makeFiles } from './rendering/pass-file.ts';" }, /may not know/],
    [{ 'src/kit/ids.ts': "import { run } from '../../test/run.ts';" }, /must run from src\/ alone/],
    [{ 'src/kit/http/a.ts': "import type { Schema } from '../../../db/schema.ts';" }, /from src\/ alone/],
    [{ 'src/commands/run-service.ts': "import { Phone } from '../../tools/fakes/phone.ts';" }, /src\/ alone/],
    [{ 'src/main.ts': "import { a } from '../tools/simulate-a.ts';" }, /from src\/ alone/],
    [{ 'src/app.ts': "const { a } = await import('../tools/simulate-a.ts');" }, /from src\/ alone/],
    [{ 'src/stuff.ts': "import { newId } from './kit/ids.ts';" }, /belongs to no layer/],
  ],
  [
    'client libraries stand alone',
    architecture.clientsStandAlone,
    [{ 'sdk/typescript/src/a.ts': "import { b } from '../../../src/b.ts';" }, /stands alone/],
    [{ 'sdk/typescript/src/a.ts': "import { createHmac } from 'node:crypto';" }, /stands alone/],
    [{ 'sdk/typescript/src/core/a.ts': '\n'.repeat(151) }, /by hand/],
  ],
  [
    'no file imports itself by way of others',
    architecture.noCycles,
    [
      {
        'src/kit/a.ts': "import { b } from './b.ts';",
        'src/kit/b.ts': "import type { C } from './c.ts';",
        'src/kit/c.ts': "export type { A } from './a.ts';",
      },
      /src\/kit\/a\.ts → src\/kit\/b\.ts → src\/kit\/c\.ts → src\/kit\/a\.ts/,
    ],
    [
      {
        'sdk/typescript/src/errors.ts': "import { E } from './core/e.ts';",
        'sdk/typescript/src/core/e.ts': "import type { Code } from '../errors.ts';",
      },
      /sdk\/typescript\/src\/errors\.ts → sdk\/typescript\/src\/core\/e\.ts → /,
    ],
    [
      {
        'web/console/pages.ts': "const page = import('./home/home.tsx');",
        'web/console/home/home.tsx': "import { findPage } from '../pages.ts';",
      },
      /web\/console\/pages\.ts → web\/console\/home\/home\.tsx → web\/console\/pages\.ts/,
    ],
  ],
  [
    'each table is written by one room',
    architecture.tablesAreWrittenByOneRoom,
    [
      {
        'src/cards/a.sql.ts': 'sql`update instances set status = 1`',
        'src/ledger/b.sql.ts': 'sql`insert into instances (status) values (1)`',
      },
      /instances is written by src\/cards\/a\.sql\.ts and src\/ledger\/b\.sql\.ts: one room/,
    ],
    [
      {
        'src/cards/a.sql.ts': "tx.insertInto('instanceEvents')",
        'src/events/b.sql.ts': 'sql`delete from instance_events`',
      },
      /instance_events is written/,
    ],
  ],
  [
    'each table is read from above',
    architecture.tablesAreReadFromAbove,
    [
      {
        'src/passes/a.sql.ts': 'sql`select 1 from passes p join instances i using (pass_id)`',
        'src/cards/b.sql.ts': 'sql`insert into instances (status) values (1)`',
      },
      /passes\/a\.sql\.ts reads instances, which src\/cards\/b\.sql\.ts writes: "passes" may not know "cards"/,
    ],
    [
      {
        'src/events/a.sql.ts': "db.selectFrom('instances')",
        'src/cards/b.sql.ts': "tx.updateTable('instances')",
      },
      /"events" may not know "cards"/,
    ],
  ],
  [
    'each kind of file imports what its kind may',
    architecture.kindsImportTheirShare,
    [{ 'src/cards/b.sql.ts': "import { find } from './find.ts';" }, /verb.*imports kit, engine, sql/],
    [{ 'src/cards/b.sql.ts': "import { refusal } from '../errors.ts';" }, /\(ground\)/],
    [{ 'src/api/cards.ts': "import { build } from '../wallet/apple/zip.ts';" }, /\(wallet\)/],
    [{ 'src/cards/b.ts': "import { send } from './b.client.ts';" }, /client.*a verb imports/],
    [{ 'src/cards/a.schema.ts': "import { list } from './a.sql.ts';" }, /sql/],
    [{ 'src/cards/a.client.ts': "import { earn } from './earn.ts';" }, /verb/],
    [{ 'src/stores/a.sql.ts': "import { earn } from './earn.ts';" }, /verb/],
  ],
  [
    'only jobs call out',
    architecture.onlyJobsCallOut,
    [{ 'src/cards/earn.ts': "import { push } from './apns.client.ts';" }, /is a job/],
  ],
  [
    'the files of a module are of a known kind',
    architecture.kindsAreKnown,
    [{ 'src/cards/earn.controller.ts': '' }, /the kinds are/],
    [{ 'src/cards/b/c/earn.ts': '' }, /the kinds are/],
  ],
  [
    'only config.ts reads the environment',
    architecture.onlyConfigReadsTheEnvironment,
    [
      { 'src/kit/telemetry/log.ts': '/* harmless */ const level = process.env.LOG_LEVEL;' },
      /log\.ts:1 reads/,
    ],
    [{ 'src/kit/telemetry/log.ts': "process.env.LOG_LEVEL = 'info';" }, /log\.ts:1 reads/],
    [
      { 'src/kit/fonts/bundled-fonts.ts': "process.env.A_FILE = 'a';\nconst a = process.env.A_FILE;" },
      /bundled-fonts\.ts:2 reads/,
    ],
  ],
  [
    'days are made in one place',
    days.daysAreMadeInOnePlace,
    ...[
      "select (at at time zone 'UTC')::date",
      'select at AT\n TIME  ZONE w.timezone',
      'select timezone(w.timezone, at)',
      "set time zone 'Europe/Berlin'",
      'set local timezone = $1',
      "select set_config('timezone', $1, true)",
      "select date_trunc('day', created_at)",
      "select date_trunc('day', coalesce(at, now()), w.timezone)",
      "select generate_series(a, b, interval '1 hour', zone)",
      "select date_add(at, interval '1 hour', zone)",
      "select at + interval '1 day'",
      'select at + make_interval(months => 1)',
      'select created_at::date',
      'select current_date',
      "select 'today'::timestamptz",
    ].flatMap((statement): Bad[] => [
      [{ 'src/cards/a.sql.ts': `sql\`${statement}\`` }, /src\/cards\/a\.sql\.ts:\d lets the database say/],
      [{ 'db/migrations/1.sql': statement }, /hand it the moments, by dayStart/],
    ]),
    [{ 'src/cards/a.ts': 'const day = moment.getDate();' }, /reads the time of a zone: ask dayStart/],
    [{ 'src/cards/a.ts': 'new Intl.DateTimeFormat(tag, { timeZone: timezone })' }, /a\.ts:1 reads/],
    [{ 'src/cards/a.ts': "moment.toLocaleDateString('en')" }, /a\.ts:1 reads/],
  ],
  [
    'only app.ts constructs',
    architecture.onlyAppConstructs,
    [{ 'src/cards/b.ts': "import { openDatabase } from '../kit/db/database.ts';" }, /openDatabase/],
    [{ 'src/cards/b.ts': "import {\n  createFiles,\n} from './files.ts';" }, /pass it in/],
  ],
  [
    'Fastify is named in kit/http only',
    architecture.frameworkStaysInKitHttp,
    [{ 'src/app.ts': "import cookie from '@fastify/cookie';" }, /imports @fastify\/cookie/],
    [{ 'src/app.ts': 'declare const app: FastifyInstance;' }, /names Fastify/],
  ],
  [
    'sharp is loaded in one place',
    architecture.sharpStaysInTheKit,
    [{ 'src/cards/draw.ts': "const { default: sharp } = await import('sharp');" }, /loadSharp\(\)/],
    [{ 'src/wallet/draw.ts': "import type { Sharp } from 'sharp';" }, /draw\.ts:1 imports sharp/],
  ],
  [
    'answers are typed from the verb to the edge',
    architecture.answersAreTyped,
    [{ 'src/api/a.ts': 'return outcome as never;' }, /a\.ts:1 casts to never/],
    [
      { 'src/cards/sell.ts': 'const { id } = JSON.parse(String(outcome.body));' },
      /sell\.ts:1 parses an answer/,
    ],
  ],
  [
    'statements belong in *.sql.ts and kit/db',
    architecture.sqlStandsInSqlFiles,
    [{ 'src/cards/earn.ts': "await tx\n  .insertInto('points')\n  .execute();" }, /earn\.ts:2 holds/],
    [{ 'src/cards/a.ts': 'await sql`select 1`\n  .execute(tx);' }, /a\.ts:2 holds/],
    [{ 'src/app.ts': "import { sql } from 'kysely';" }, /imports kysely/],
  ],
  [
    'texts are folded by the program',
    project.textsAreFoldedByTheProgram,
    [{ 'src/cards/a.sql.ts': 'sql`select from t\nwhere lower(name) = lower(other)`' }, /a\.sql\.ts:2 folds/],
    [{ 'src/cards/a.sql.ts': "sql`select from t where name ilike 'a%'`" }, /folds/],
  ],
  [
    'a method and path stands once, in routes.ts',
    architecture.endpointsStandOnce,
    [{ 'src/api/a.ts': "const path = 'GET /passes';" }, /belong in src\/routes\.ts only/],
    [
      { 'src/routes.ts': "route('GET /me', 'x', a.b);\nroute('GET /me', 'x', a.c);" },
      /routes\.ts:2 .* line 1/,
    ],
  ],
  [
    'one name from the URL to the log line',
    project.oneNameThroughout,
    [{ 'src/api/a.ts': "export const getMe = endpoint({\n  op: 'me'," }, /but its op me/],
    [{ 'src/api/a.ts': "export const getMe = endpoint({\n  op: 'getMe'," }, /does not list/],
    [{ 'src/api/a.ts': 'export const limit = 5;' }, /no endpoint/],
    [{ 'src/routes.ts': "route('POST /me', 'any key', keys.setMe)" }, /0 files of the rooms export setMe/],
    [
      {
        'src/routes.ts': "route('POST /me', 'any key', keys.setMe)",
        'src/cards/a.ts': 'export function setMe() {}',
        'src/passes/b.ts': 'export async function setMe() {}',
      },
      /2 files of the rooms export setMe/,
    ],
    [{ 'src/routes.ts': line, 'src/access/a.ts': "audit({ action: 'gotMe' })" }, /no operation/],
  ],
  [
    'console and scanner stand alone',
    architecture.consoleStandsAlone,
    [{ 'web/console/a.tsx': "import { b } from '../../src/b.ts';" }, /stand alone/],
    [{ 'web/console/a.tsx': "import { z } from 'zod';" }, /stand alone/],
    [{ 'web/scanner/a.tsx': "import { b } from '../console/b.ts';" }, /stand alone/],
    [{ 'web/shared/a.tsx': "import { b } from '../scanner/b.ts';" }, /stand alone/],
    [{ 'src/cards/a.ts': "import { b } from '../../web/b.ts';" }, /for browsers/],
  ],
  [
    'currencies are of one table',
    currenciesAreOfOneTable,
    [{ 'src/a.ts': "const all = Intl.supportedValuesOf('currency');" }, /asks Intl about currencies/],
    [{ 'web/shared/a.ts': "new Intl.NumberFormat('en', { style: 'currency' });" }, /asks Intl/],
  ],
  [
    'the focus moves at once',
    architecture.focusMovesAtOnce,
    [{ 'web/shared/a.tsx': '  useEffect(() => input.current?.focus(), []);' }, /use useLayoutEffect/],
    [{ 'web/shared/a.tsx': '  useEffect(() => {\n    if (is) dialog.showModal();\n  }, []);' }, /useEffect/],
  ],
  [
    'styles stay in their area',
    stylesStayInTheirArea,
    [
      { 'web/console/a/a.css': '.state { a: b }', 'web/console/b/b.tsx': '<p class="row state" />' },
      /b\.tsx writes \.state of web\/console\/a/,
    ],
    [
      {
        'web/console/a/a.css': '.state { a: b }',
        'web/console/b/b.tsx': "<p class={isOn ? 'row state' : 'row'} />",
      },
      /b\.tsx writes \.state/,
    ],
    [
      { 'web/scanner/a/a.css': '.a .state { a: b }', 'web/scanner/b/b.css': '.b .state { a: b }' },
      /b\.css defines \.state, as web\/scanner\/a does/,
    ],
    [
      { 'web/shared/a.css': '.row { a: b }', 'web/console/b/b.css': '@media x { .row > p { a: b } }' },
      /b\.css: "\.row > p" reaches other areas/,
    ],
  ],
  [
    'files are short',
    architecture.filesAreShort,
    [{ 'src/a.ts': '\n'.repeat(301) }, /has 301 lines, 300/],
    [{ 'web/a.tsx': '\n'.repeat(301) }, /has 301 lines, 300/],
    [{ 'src/a.test.ts': '\n'.repeat(601) }, /has 601 lines, 600/],
  ],
  [
    'names say something',
    architecture.namesSaySomething,
    [{ 'src/kit/utils/time.ts': '' }, /name it after what it does/],
    [{ 'src/kit/http-helpers.ts': '' }, /name it after/],
    [{ 'src/kit/types.ts': '' }, /name it after/],
    [{ 'src/kit/index.ts': '' }, /name it after/],
    [{ 'src/kit/rateLimit.ts': '' }, /kebab-case/],
  ],
  [
    'plain language: no default exports, decorators, enums, any, non-null or silenced checks',
    architecture.plainLanguage,
    [{ 'src/a.ts': 'export default function a() {}' }, /a default export/],
    [{ 'src/a.ts': "export { a as default } from './b.ts';" }, /a default export/],
    [{ 'src/a.ts': 'class A {\n  @inject() b = 1;\n}' }, /a\.ts:2 has a decorator/],
    [{ 'src/a.ts': 'const enum Color { Red }' }, /an enum/],
    [{ 'src/a.ts': 'namespace A {}' }, /a namespace/],
    [{ 'src/a.ts': 'function a(b: any) {}' }, /`any`/],
    [{ 'src/a.ts': 'const a = b as Map<string, any>;' }, /`any`/],
    [{ 'src/a.ts': 'const a = list[0]!.name;' }, /non-null/],
    [{ 'web/console/a.tsx': 'export default function Page() {}' }, /a\.tsx:1 has a default export/],
    [{ 'web/shared/a.tsx': '{/* biome-ignore lint/a11y/x: why not */}' }, /switches a check off/],
    [{ 'sdk/typescript/src/a.ts': 'const a = b as any;' }, /`any`/],
    [{ 'src/a.ts': '// @ts-expect-error: it works\na();' }, /switches a check off/],
    [{ 'test/client.ts': '// biome-ignore lint/style/x: why not' }, /switches a check off/],
  ],
  [
    'the kit knows nothing of the product',
    architecture.kitKnowsNoProduct,
    [{ 'src/kit/a.ts': 'function findPassId() {}' }, /says "findPassId"/],
    [{ 'src/kit/a.ts': 'const row = { instance_id: 1 };' }, /says "instance_id"/],
    [{ 'src/kit/a.ts': '/** Locks the workspace. */' }, /says "workspace"/],
    [{ 'src/kit/a.ts': "throw new Error('no loyalty program');" }, /says "loyalty"/],
  ],
  [
    'every key contains its workspace, and only lists of a workspace begin with it',
    project.tenancyIsVisible,
    [{ 'db/schema.sql': 'create table t (\n  PRIMARY KEY (id)\n);' }, /PRIMARY KEY of t lacks workspace_id/],
    [{ 'db/schema.sql': 'create table t (\n  a text\n);' }, /t has no primary key/],
    [{ 'db/schema.sql': table.replace('\n)', ',\n  UNIQUE (name)\n)') }, /UNIQUE of t lacks workspace_id/],
    [
      { 'db/schema.sql': table.replace('\n)', ',\n  FOREIGN KEY (b) REFERENCES b(b)\n)') },
      /FOREIGN KEY of t lacks workspace_id/,
    ],
    [
      {
        'db/schema.sql': `${table}CREATE UNIQUE INDEX u ON public.t USING btree (b) WHERE (workspace_id IS NULL);`,
      },
      /index u lacks workspace_id/,
    ],
    [
      { 'db/schema.sql': table.replace('id, workspace_id', 'workspace_id, id') },
      /: t begins with workspace_id: begin it with what distinguishes rows/,
    ],
    [
      { 'db/schema.sql': `${table}CREATE INDEX i ON public.t USING btree (workspace_id, b) WHERE (b > 0);` },
      /: i begins with workspace_id/,
    ],
    [
      { 'db/schema.sql': table.replace(' t ', ' audit_log ') },
      /lists audit_log, which does not begin with workspace_id/,
    ],
    [{}, /lists no table/],
  ],
  [
    'every table is explained, and comments name what is there',
    project.tablesAreExplained,
    [{ 'db/schema.sql': 'create table t (\n  a text\n);' }, /: t has no comment/],
    [{ 'db/schema.sql': `${table}\ncreate table u (\n  a text\n);` }, /: u has no comment/],
    [{ 'db/schema.sql': table.replace('One thing', 'By gone_at.') }, /a comment of t names gone_at/],
    [{ 'db/schema.sql': table.replace('\n)', ',\n  -- as t.gone\n  a text\n)') }, /t names t\.gone/],
    [
      { 'db/schema.sql': `${table}-- As in t, by id_a.\ncreate table u (\n  a text\n);` },
      /a comment of u names id_a/,
    ],
  ],
  [
    'migrations are numbered, each number once',
    project.migrationsAreNumbered,
    [{ 'db/migrations/0001_a.sql': '', 'db/migrations/0001_b.sql': '' }, /0001_b.sql has the number/],
    [{ 'db/migrations/first.sql': '' }, /should be/],
  ],
  [
    'dependencies are exact, complete and without known flaws',
    project.dependenciesAreExact,
    [{ 'package.json': '{"dependencies":{"pg":"^8.0.0"}}' }, /pin an exact version/],
    [{ 'package-lock.json': '{"packages":{"node_modules/a/node_modules/ip":{}}}' }, /holds "ip"/],
    [
      { 'package-lock.json': '{"packages":{"node_modules/a":{"optionalDependencies":{"a-mac":"1.0.0"}}}}' },
      /node_modules\/a may need a-mac/,
    ],
    [{ 'package-lock.json': '{"packages":{"node_modules/a":{}}}' }, /node_modules\/a has no integrity/],
    [
      { 'package-lock.json': '{"packages":{"node_modules/a":{"resolved":"https://npm.example/a.tgz"}}}' },
      /node_modules\/a is resolved elsewhere/,
    ],
  ],
  [
    'plain English',
    language.plainEnglish,
    [{ 'src/cards/a.ts': '// Locks the row for whoever asks.' }, /a\.ts:1 says "whoever": name the person/],
    [{ 'docs/A.md': '# A\n\nThe caller is told what becomes of it.' }, /A\.md:3 says "told": write show/],
    [{ 'web/a.tsx': 'export function tellFailure() {}' }, /says "tellF": write show/],
    [{ 'src/cards/a.ts': '// The row may change meanwhile.' }, /says "meanwhile": name the moment/],
    [{ 'test/a.ts': "it('is called once more')" }, /says "once more": write again/],
    [{ 'docs/A.md': 'Somebody else was faster.' }, /says "Somebody": name who acts/],
    [{ 'src/cards/a.ts': '// Nobody waits for it.' }, /says "Nobody waits": name the actor/],
  ],
  [
    'documents name what exists',
    project.documentsNameWhatExists,
    [{ 'README.md': 'See\n`src/gone.ts`.' }, /README\.md:2 names src\/gone\.ts/],
    [{ 'docs/A.md': '[the other](B.md#part)' }, /names docs\/B\.md/],
    [{ 'docs/A.md': '# One\n[two](#two)' }, /names the heading #two of docs\/A\.md/],
  ],
];

type Bad = readonly [files: Readonly<Record<string, string>>, says: RegExp];

describe('architecture', () => {
  for (const [name, rule] of rules) {
    test(name, () => {
      const faults = rule(sources);
      assert.ok(faults.length === 0, ['', ...faults].join('\n'));
    });
  }
});

describe('the rules themselves', () => {
  for (const [name, rule, ...bad] of rules) {
    test(`can fail: ${name}`, () => {
      assert.ok(bad.length > 0);
      for (const [files, says] of bad) {
        assert.match(rule(new Map(Object.entries(files))).join('\n'), says);
      }
    });
  }

  test('every rule is applied', () => {
    const applied = new Set(rules.map(([, rule]) => rule.name));
    const written = Object.entries({ ...architecture, ...days, ...language, ...project }).filter(
      ([name, value]) =>
        value.length === 1 && !['program', 'kindOf', 'kebab', 'tablesByFolder'].includes(name),
    );
    assert.deepEqual(
      written.map(([name]) => name).filter((name) => !applied.has(name)),
      [],
    );
  });

  test('what only looks like a fault is none', () => {
    const fine = {
      'src/cards/a.sql.ts': [
        '// at time zone of the workspace',
        'const months = sql`select date_trunc(unit, day::timestamp)::date, timezone from w`;',
        "const backup = `set local timezone = 'UTC'`;",
        "const minutes = sql`select at + interval '15 minutes', day::date`;",
        "const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC' });",
      ].join('\n'),
      'src/kit/a.ts': [
        '// Bypass the any! of process.env; see GET /passes.',
        "const text = 'process.env, enum X {}, default export, list[0]!.a';",
        `const html = \`<p>\${a !== b ? \`any! \${c}\` : /[/"\`]!any/.test(d)}</p>\`;`,
        'const first = await Promise.any(list);',
        "throw new Error('Use GET /passes to list them.');",
        'const ratio = a / b / c; // never a pattern',
      ].join('\n'),
      'src/kit/db/b.ts': "import type { Schema } from '../../../db/schema.ts';",
      'src/context.ts': "import type { Files } from './drawing/pass-file.ts';",
      'src/main.ts': "const { a } = await import('../tools/simulate-a.ts');",
      'src/routes.ts': line,
      'src/api/keys.ts': "export const getMe = endpoint({\n  op: 'getMe',",
      'db/schema.sql': `${table}-- Of the owner's t, by its_id.\ncreate table u (\n  -- 'not_a_name', else u.its_id\n  its_id text,\n  PRIMARY KEY (its_id, workspace_id)\n);`,
    };
    for (const [name, rule] of rules) assert.deepEqual(rule(new Map(Object.entries(fine))), [], name);
  });
});

const root = fileURLToPath(new URL('..', import.meta.url));
const paths = globSync(
  ['{src,web,test,tools,scripts,bench,db,docs,deploy,.ci}/**/*', 'sdk/{*,typescript/{src,test}/**}/*', '*'],
  {
    cwd: root,
    withFileTypes: true,
  },
)
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));
const sources = new Map(paths.map((path) => [path, readFileSync(root + path, 'utf8')]));
