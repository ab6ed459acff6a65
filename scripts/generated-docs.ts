import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settings } from '../src/config.ts';
import { errors } from '../src/errors.ts';
import { routes } from '../src/routes.ts';
import { errorsOf } from '../src/start/reference.ts';
import { tablesByFolder } from '../test/architecture-rules.ts';
import { contents } from '../test/contract/contents.ts';
import { layers } from '../test/rooms.ts';
import { seededBugs } from '../test/seeded-bugs/bugs.ts';
import { beforeRouting } from '../tools/docs-site/words.ts';
import { rules } from '../tools/validator/validate-rules.ts';
import { currentModel } from './clients/current-model.ts';
import { printedPython } from './clients/python/print-client.ts';
import { printedTypescript } from './clients/typescript/print-client.ts';
import { pictureOf, shots } from './console-shots.ts';
import { previewPictures } from './preview-pictures.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The documents that are printed from the code, by path. `read` gives the present text of a file. */
export function generatedDocs(read: (path: string) => string): Map<string, string> {
  const model = currentModel();
  return new Map([
    ['README.md', withPart(read('README.md'), 'settings', settingsTable())],
    ['docs/ARCHITECTURE.md', architecture(read)],
    ['docs/API.md', withPart(read('docs/API.md'), 'routes', routesTables())],
    ['docs/CONSOLE.md', withPart(read('docs/CONSOLE.md'), 'pages', consolePages())],
    ['docs/CONTRACT.md', contractCoverage()],
    ['docs/ERRORS.md', errorReference()],
    ['docs/PKPASS-RULES.md', ruleReference()],
    ['docs/RELIABILITY.md', withPart(read('docs/RELIABILITY.md'), 'seeded-bugs', seededBugTable())],
    ...previewPictures(),
    ...printedTypescript(model),
    ...printedPython(model),
  ]);
}

/** From the top down, as imports go. */
function architecture(read: (path: string) => string): string {
  const plan = layers
    .toReversed()
    .map(({ shown, holds }) => [shown.map((name) => quoted(`src/${name}`)).join(', '), holds]);
  const paths = ['db/schema.sql', ...globSync(['src/**/*.sql.ts', 'src/kit/{db,citus}/*.ts'], { cwd: root })];
  const tables = tablesByFolder(new Map(paths.map((path) => [path, read(path)])));
  const lists = tables.map(
    ([folder, names]) => `- ${quoted(`src/${folder}`)}: ${names.map(quoted).join(', ')}`,
  );
  const page = withPart(read('docs/ARCHITECTURE.md'), 'rooms', table(['folder', 'holds'], plan));
  return withPart(page, 'tables', lists.join('\n'));
}

function consolePages(): string {
  return shots
    .map((shot) => `### ${shot.title}\n\n${shot.says}\n\n![${shot.title}](${pictureOf(shot)})`)
    .join('\n\n');
}

function settingsTable(): string {
  return table(
    ['setting', 'meaning', 'without it'],
    Object.entries(settings).map(([name, { meaning, fallback }]) => [`\`${name}\``, meaning, fallback]),
  );
}

function routesTables(): string {
  const tags = Map.groupBy(routes, (route) => route.endpoint.tag);
  return [...tags]
    .map(([tag, list]) => {
      const rows = list.map(({ method, path, access, endpoint }) => [
        `\`${method} ${path}\``,
        access,
        `\`${endpoint.op}\``,
        endpoint.summary,
      ]);
      return `### ${tag}\n\n${table(['endpoint', 'open to', 'operation', 'what it does'], rows)}`;
    })
    .join('\n\n');
}

const mostNames = 6;

function errorReference(): string {
  const rows = Object.entries(errors).map(([code, [status, help]]) => [
    `\`${code}\``,
    String(status),
    help,
    raisedBy(code),
  ]);
  return `# Errors

Printed from \`src/errors.ts\` by \`npm run docs\`.

Every answer that is not a success has this body, whichever part of the service makes it, and the same id in the header
\`X-Request-Id\`:

\`\`\`json
{
  "error": "title is required.",
  "code": "invalid_request",
  "requestId": "req_…",
  "problems": [{ "path": "title", "rule": "required", "message": "Is required." }]
}
\`\`\`

Branch on \`code\`, never on \`error\`, whose wording may change. Codes never change their meaning; new ones may be
added. Some codes carry further fields, which the table names.

Retry a 4xx only after changing something, except \`insufficient_credits\` (top up first) and \`rate_limited\` (wait for
\`Retry-After\`). Retry a 500 only when it carries \`retryable: true\`: nothing was applied, or the key of the request
makes sure that nothing is applied twice.

${table(['code', 'status', 'what to do', 'answered by'], rows)}
`;
}

function raisedBy(code: string): string {
  if (beforeRouting.has(code)) return 'any request';
  const ops = routes.filter((route) => errorsOf(route).has(code)).map((route) => `\`${route.endpoint.op}\``);
  if (ops.length === 0) return 'no operation yet';
  if (ops.length === routes.length) return 'every operation';
  return ops.length > mostNames ? `${ops.length} operations` : ops.join(', ');
}

function contractCoverage(): string {
  const parts = contents.map(({ title, file, sentences }) => {
    const rows = sentences.map(({ says, needs }) => [says, `\`${file}\``, needs]);
    return `## ${title}\n\n${table(['sentence', 'shown by', 'needs'], rows)}`;
  });
  const count = contents.reduce((sum, { sentences }) => sum + sentences.length, 0);
  return `# The contract, sentence by sentence

Printed from \`test/contract/contents.ts\` by \`npm run docs\`.

Each of these ${count} sentences, rows and conditions of the API's contract has one test with its name, which speaks to
the service over HTTP and nothing else. Names and tests are one list, so that none is without the other.

\`\`\`
npm run test:contract
\`\`\`

starts a service and shows all of them. They are part of \`npm test\` too. An operator asks an installation with

\`\`\`
npm run test:contract -- --url https://cards.example.com --operator-token op_…
\`\`\`

The suite makes workspaces of its own there, named "Contract suite" with the time, touches no others, and suspends its own
at the end, so that their keys no longer open anything. It sends some 1,200 requests, one after the other, and waits
when it is asked to.

The last column names what a sentence needs besides the URL. Where that is not at hand it is skipped, with the reason,
and counted:

- **image host**, **store**: the service must reach a host that behaves as the sentence wants. It can when it runs on the
  same machine. \`npm run test:contract -- --make-fakes fakes\` writes a certificate; start the service with
  \`FETCH_ALLOW_CIDRS=127.0.0.1/32\` and \`NODE_EXTRA_CA_CERTS=fakes/ca.pem\`, and add \`--fakes fakes\`. Never do that to an
  installation that serves others: its networks are then open to everyone with a key.
- **its own service**: the database is taken away, or the log is read. That is done to the suite's own service only.

\`--only pool_exhausted\` asks for the sentences with these words.

${parts.join('\n\n')}
`;
}

function ruleReference(): string {
  const rows = Object.entries(rules).map(([id, { level, about }]) => [`\`${id}\``, level, about]);
  return `# Rules of the pass file validator

Printed from \`tools/validator/validate-rules.ts\` by \`npm run docs\`.

\`npm run -s punchcard -- validate card.pkpass\` holds a pass file against every one of them. An error is something that
Wallet refuses or shows wrong; a warning opens, but probably not as it was meant. The ids are stable.

${table(['rule', 'level', 'what it demands'], rows)}
`;
}

function seededBugTable(): string {
  const suites = Map.groupBy(seededBugs, (bug) => bug.suite);
  return table(
    ['suite', 'bug', 'planted in', 'noticed by the test', 'of'],
    [...suites].flatMap(([suite, bugs]) =>
      bugs.map(({ bug, file, fails, command }) => [
        suite,
        bug,
        `\`${file}\``,
        `“${fails}”`,
        `\`${command.join(' ')}\``,
      ]),
    ),
  );
}

/** The text with the part between its markers replaced. */
function withPart(text: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: printed by npm run docs -->`, `<!-- /${name} -->`];
  const [before, rest] = text.split(begin);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined)
    throw new Error(`a document has lost its markers: ${begin} … ${end}`);
  return `${before}${begin}\n\n${part}\n\n${end}${after}`;
}

function quoted(text: string): string {
  return `\`${text}\``;
}

/** Aligned, as the formatter wants it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[], fill = ' ') =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [first = [], ...others] = cells;
  return [line(first), line([], '-'), ...others.map((row) => line(row))].join('\n');
}
