import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Type } from 'typebox';
import { type Endpoint, route } from '../endpoint.ts';
import { openapiDocument } from './openapi.ts';
import { referencePage } from './reference-page.ts';
import { REFERENCE_STYLE } from './reference-style.ts';

const EVIL = `</style><script>alert("x")</script><img src=x onerror='alert(1)'>&amp;`;

const Item = Type.Object(
  {
    itemId: Type.String(),
    prices: Type.Array(Type.Object({ amount: Type.Integer({ minimum: 0, maximum: 5000 }) }), { maxItems: 9 }),
    tags: Type.Union([Type.Array(Type.String()), Type.Null()]),
    note: Type.Optional(Type.String({ description: EVIL, maxLength: 80 })),
    size: Type.Union([Type.Literal('s'), Type.Literal(EVIL)]),
    shape: Type.Union([
      Type.Object({ kind: Type.Literal('round'), radius: Type.Number() }),
      Type.Object({ kind: Type.Literal('flat') }),
    ]),
  },
  { $id: 'Item', description: EVIL },
);
const Tree = Type.Cyclic({ Tree: Type.Object({ children: Type.Array(Type.Ref('Tree')) }) }, 'Tree');

function endpoint(op: string, parts: Partial<Endpoint<unknown>>): Endpoint<unknown> {
  const handle = async () => ({ status: 200 });
  return { op, tag: 'Items', summary: `Do ${op}`, answers: { 200: Item }, errors: [], handle, ...parts };
}

const example = { note: `it's "quoted" $HOME \`x\` \\ ü`, deep: [1, -2.5e3, true, null, { '<b>': EVIL }] };
const document = openapiDocument({
  routes: [
    route<unknown, string>(
      'POST /items/{itemId}/copies',
      'key',
      endpoint('copyItem', {
        description: `${EVIL}\n\n- first with \`code\`\n- second`,
        params: Type.Object({ itemId: Type.String({ description: EVIL }) }),
        query: Type.Object({ mode: Type.String(), dry: Type.Optional(Type.String()) }),
        body: Type.Object({
          note: Type.Optional(Type.String()),
          deep: Type.Array(Type.Unknown()),
          tree: Tree,
          item: Item,
        }),
        example,
        idempotent: true,
        answers: { 201: Item, 202: Type.Object({ data: Type.Array(Item) }), 204: null },
        errors: ['taken'],
      }),
    ),
    route<unknown, string>(
      'GET /items/{itemId}',
      'public',
      endpoint('showItem', {
        tag: EVIL,
        summary: EVIL,
        params: Type.Object({ itemId: Type.String() }),
        answers: { 200: 'image/svg+xml' },
      }),
    ),
    route<unknown, string>('DELETE /all', 'operator', endpoint('wipe', { answers: { 204: null } })),
  ],
  info: { title: EVIL, version: EVIL, description: EVIL },
  serverUrl: 'https://example.test/v1',
  errorTable: {
    bad: [400, EVIL],
    taken: [409, 'Choose another.'],
    slow_down: [429, 'Wait.'],
    unused: [418, 'Tea.'],
  },
  commonErrors: () => ['bad', 'slow_down'],
  securityOf: (item) => (item.path === '/all' ? 'operator' : item.method === 'GET' ? null : 'key'),
  tagDescriptions: { Items: EVIL },
});
const page = referencePage(document);

test('the page runs no script and asks nobody for anything', () => {
  const [, body = ''] = page.split('</style>');
  assert.equal(page.split('</style>').length, 2);
  assert.doesNotMatch(body, /<(script|img|iframe|link|object|embed|form|base)\b/i);
  assert.doesNotMatch(body, /<[^>]*\s(on\w+|src|srcset|style|action)\s*=/i);
  assert.doesNotMatch(REFERENCE_STYLE, /url\(|@import|@font-face|expression|</);
  for (const [, target] of page.matchAll(/href="([^"]*)"/g)) assert.match(target ?? '', /^#/);
});

test('everything from the document is escaped', () => {
  assert.ok(page.split('&lt;/style&gt;&lt;script&gt;alert(').length > 12);
  assert.equal(page.includes('<script'), false);
  assert.equal(page.includes("onerror='"), false);
});

test('every element is closed, and every id is there once', () => {
  const open: string[] = [];
  const body = page.replace(/<!doctype html>|<style>.*?<\/style>/gs, '');
  for (const [, end, name = ''] of body.matchAll(/<(\/?)([a-z0-9]+)\b[^<>]*>/g)) {
    if (['meta', 'wbr', 'br', 'hr'].includes(name)) continue;
    if (end === '') open.push(name);
    else assert.equal(open.pop(), name);
  }
  assert.deepEqual(open, []);
  const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('every link and every label leads to something on the page', () => {
  const ids = new Set([...page.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id));
  const targets = [...page.matchAll(/(?:href="#|aria-labelledby=")([^"]*)"/g)].map(([, id = '']) => id);
  assert.ok(targets.length > 30);
  for (const target of targets) assert.ok(ids.has(target), target);
});

test('there are landmarks, one main heading, a language and a skip link', () => {
  for (const part of [
    '<html lang="en">',
    '<nav ',
    '<main id="content">',
    '<footer>',
    'href="#content">Skip',
  ]) {
    assert.ok(page.includes(part), part);
  }
  assert.equal(page.match(/<h1\b/g)?.length, 1);
  const levels = [...page.slice(page.indexOf('<main')).matchAll(/<h([1-6])\b/g)].map(([, level]) =>
    Number(level),
  );
  for (const [index, level] of levels.entries()) {
    assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} skips a level`);
  }
});

test('an operation is told whole', () => {
  const section = words('copyItem');
  const parts = [
    'Do copyItem POST /items/{itemId}/copies API key',
    'itemId required string in path',
    'mode required string in query',
    'dry string in query',
    'Idempotency-Key string in header',
    'tree.children required list of Tree',
    'item.prices[].amount required integer 0 to 5,000',
    'item.tags required list of string or null',
    'When item.shape.kind is "round" item.shape.radius required number',
    'When item.shape.kind is "flat": nothing more',
    '201 Created Item',
    '202 Accepted { data }',
    'data list of Item',
    '204 No Content no body',
    'taken 409 Choose another.',
    'nearly everywhere: bad slow_down',
  ];
  for (const part of parts) assert.ok(section.includes(part), `${part}\n--- not in ---\n${section}`);
  assert.ok(words('showItem').includes('No key needed'));
  assert.ok(words('showItem').includes('200 OK image/svg+xml'));
  assert.ok(words('wipe').includes('Operator token'));
});

test('objects mark what may be absent, and every error code of the table is listed', () => {
  assert.ok(words('schema-Item').includes('note optional string'));
  assert.equal(words('schema-Item').includes('itemId optional'), false);
  for (const code of ['bad', 'taken', 'slow_down', 'unused'])
    assert.ok(page.includes(`id="error-${code}"`), code);
});

/** The text of an article as a reader sees it, on one line. */
function words(id: string): string {
  const start = page.indexOf(`id="${id}"`);
  return unescaped(
    page
      .slice(page.indexOf('>', start) + 1, page.indexOf('</article>', start))
      .replace(/<\/?(?:code|wbr|span|b)\b[^>]*>/g, ''),
  )
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '‹')
    .replaceAll('&gt;', '›')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

test('the example is a shell command that sends exactly the example body', () => {
  const [, html = ''] = /aria-label="Example of copyItem"><code>(.*?)<\/code>/s.exec(page) ?? [];
  const command = unescaped(html.replace(/<\/?span[^>]*>/g, ''))
    .replaceAll('‹', '<')
    .replaceAll('›', '>');
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }; uuidgen() { echo 7; }; API_KEY=secret\n${command}`;
  const sent = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
  assert.deepEqual(sent.slice(0, -1), [
    '-X',
    'POST',
    'https://example.test/v1/items/ITEM_ID/copies?mode=MODE',
    '-H',
    'Authorization: Bearer secret',
    '-H',
    'Idempotency-Key: 7',
    '-H',
    'Content-Type: application/json',
    '-d',
  ]);
  assert.deepEqual(JSON.parse(sent.at(-1) ?? ''), example);
});

test('text has a contrast of at least 4.5 to 1 in light and in dark', () => {
  const [light = '', dark = ''] = REFERENCE_STYLE.split('@media (prefers-color-scheme: dark)');
  const lightColours = coloursOf(light);
  const darkColours = { ...lightColours, ...coloursOf(dark.slice(0, dark.indexOf('*, ::before'))) };
  const inks = ['ink', 'soft', 'accent', 'warn', 'get', 'post', 'patch', 'put', 'delete'];
  const pairs = [
    ...inks.flatMap((ink) => [
      [ink, 'paper'],
      [ink, 'raised'],
    ]),
    ...['accent', 'ink', 'soft'].map((ink) => [ink, 'accent-wash']),
    ...['panel-ink', 'key', 'string', 'number'].map((ink) => [ink, 'panel']),
    ['panel-soft', 'panel-head'],
  ];
  for (const [theme, colours] of Object.entries({ light: lightColours, dark: darkColours })) {
    for (const [ink = '', ground = ''] of pairs) {
      const ratio = contrast(colours[ink] ?? '', colours[ground] ?? '');
      assert.ok(ratio >= 4.5, `${theme}: ${ink} on ${ground} is ${ratio.toFixed(2)}`);
    }
  }
});

function coloursOf(css: string): Record<string, string> {
  return Object.fromEntries(
    [...css.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

/** WCAG 2.2, contrast ratio. */
function contrast(one: string, two: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(two)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
