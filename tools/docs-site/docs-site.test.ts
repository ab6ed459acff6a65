import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { anyUrl, docsSite } from '../../src/kit/docs/docs-site.ts';
import { type Endpoint, route } from '../../src/kit/http/endpoints/endpoint.ts';
import { openapiDocument } from '../../src/kit/http/reference/openapi.ts';
import { guideOf } from './guide.ts';
import { renderDocs } from './render-docs.ts';
import { STYLE } from './style.ts';

const EVIL = `</style><script>alert("x")</script><img src=x onerror='alert(1)'>&amp;`;

const Item = Type.Object(
  {
    itemId: Type.String({ minLength: 1, maxLength: 255 }),
    prices: Type.Array(Type.Object({ amount: Type.Integer({ minimum: 0, maximum: 5000 }) }), { maxItems: 9 }),
    tags: Type.Union([Type.Array(Type.String()), Type.Null()]),
    note: Type.Optional(Type.String({ description: EVIL, maxLength: 80 })),
    size: Type.Union([Type.Literal('s'), Type.Literal(EVIL)]),
    shade: Type.String({ pattern: '^#[0-9]$' }),
    count: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    unit: Type.Union(Array.from({ length: 31 }, (_, at) => Type.Literal(`u${at}`))),
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

const document = openapiDocument({
  routes: [
    route<unknown, string>(
      'POST /items/{itemId}/copies',
      'key',
      endpoint('copyItem', {
        call: 'items.copy',
        description: `${EVIL}\n\n- first with \`showItem\`\n- second`,
        params: Type.Object({ itemId: Type.String({ description: EVIL, minLength: 1, maxLength: 255 }) }),
        query: Type.Object({ mode: Type.String(), dry: Type.Optional(Type.String()) }),
        body: Type.Object({ note: Type.Optional(Type.String()), tree: Tree, item: Item }),
        example: { note: EVIL },
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
  serverUrl: `${anyUrl}/v1`,
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
const guide = guideOf(
  'begin',
  `# Begin\n\nFirst \`steps\`.\n\n## \`taken\` or not\n\nCall \`POST /items/{itemId}/copies\`, see [errors](../ERRORS.md#taken) and
[below](begin.md#taken-or-not).\n\n${EVIL}\n\n| a | b |\n| - | - |\n| c | d |\n\n\`\`\`sh\necho "x" 5\n\`\`\`\n`,
);
const input = {
  document,
  guides: [guide],
  words: { patterns: { '^#[0-9]$': 'shade, `#n`' }, idPrefixes: { itemId: 'item' } },
  clients: {
    TypeScript: { from: 'items-client', className: 'Items', variable: 'items' },
    Python: { from: 'items', className: 'Items', variable: 'items' },
  },
  retryOf: (code: string) => `Perhaps ${code}.`,
  beforeRouting: new Set(['unused']),
};
const bundle = await renderDocs(input);
const site = docsSite(bundle, 'https://example.test');
const pages = new Map<string, string>();
for (const href of bundle.pages.keys()) pages.set(href, String((await site.page(href))?.plain));
for (const query of ['', 'item', EVIL, '"><b>', 'nothing of the kind']) {
  pages.set(`/docs/search?q=${query}`, site.search(query));
}

test('no page runs a script or asks another host for anything, and everything of the document is escaped', () => {
  assert.doesNotMatch(STYLE, /url\(|@import|@font-face|expression|</);
  for (const [href, page] of pages) {
    const [, body = '', ...more] = page.split('</style>');
    assert.equal(more.length, 0, href);
    assert.doesNotMatch(body, /<(script|img|iframe|link|object|embed|base)\b/i, href);
    const withoutValues = body.replaceAll(/"[^"]*"/g, '""');
    assert.doesNotMatch(withoutValues, /<[^>]*\s(on\w+|src|srcset|style)\s*=/i, href);
    assert.doesNotMatch(page, /<script|onerror='/, href);
    for (const [, target = ''] of page.matchAll(/(?:href|action)="([^"]*)"/g))
      assert.match(target, /^(#|\/docs\b|\/openapi\.json$)/, href);
  }
});

test('every element is closed, every id is there once, and every label leads somewhere', () => {
  for (const [href, page] of pages) {
    const open: string[] = [];
    const body = page.replace(/<!doctype html>|<style>.*?<\/style>/gs, '');
    for (const [, end, name = ''] of body.matchAll(/<(\/?)([a-z0-9]+)\b[^<>]*>/g)) {
      if (['meta', 'wbr', 'br', 'hr', 'input'].includes(name)) continue;
      if (end === '') open.push(name);
      else assert.equal(open.pop(), name, href);
    }
    assert.deepEqual(open, [], href);
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, href);
    for (const [, id] of page.matchAll(/aria-labelledby="([^"]*)"/g))
      assert.ok(ids.includes(id), `${href} ${id}`);
    assert.equal(page.match(/<h1\b/g)?.length, 1, href);
    assert.equal(page.match(/<main /g)?.length, 1, href);
  }
});

test('an operation is documented whole', () => {
  const copy = words('/docs/copyItem');
  const parts = [
    'Do copyItem POST /items/{itemId}/copies API key',
    'itemId in path · id, item_… required',
    'mode in query · string required',
    'dry in query · string Idempotency-Key',
    'Idempotency-Key in header · string, 1 to 255 printable ASCII characters but the comma',
    'tree object required',
    'prices list, at most 9 entries, each object required',
    'amount integer, 0 to 5,000 required',
    'tags list, each string or null required',
    'shade shade, #n required',
    'count integer, at least 1 required',
    'unit one of 31 values: u0, u1, u2 … u30 required',
    'note string, at most 80 characters',
    'When kind is round radius number required',
    'When kind is flat: nothing more',
    '201 Created { itemId, prices, tags, note, … }',
    'note string, at most 80 characters may be absent',
    '202 Accepted { data }',
    '204 No Content no body',
    'taken 409 Choose another.',
    'nearly everywhere: bad slow_down',
  ];
  for (const part of parts) assert.ok(copy.includes(part), `${part}\n--- not in ---\n${copy}`);
  assert.match(
    pages.get('/docs/copyItem') ?? '',
    /const result = await items\.items\.copy\(<span[^>]*>&#39;ITEM_ID&#39;/,
  );
  assert.match(
    pages.get('/docs/copyItem') ?? '',
    /result = items\.items\.copy\(\s*<span[^>]*>&quot;ITEM_ID&quot;/,
  );
  assert.ok(words('/docs/showItem').includes('No key needed'));
  assert.ok(words('/docs/showItem').includes('200 OK image/svg+xml'));
  assert.ok(words('/docs/wipe').includes('Operator token'));
});

test('the errors say whether to send again, and who answers them', () => {
  const errors = words('/docs/errors');
  assert.ok(errors.includes('taken 409 Choose another. Send again? Perhaps taken. Answered by copyItem'));
  assert.ok(errors.includes('Wait. Send again? Perhaps slow_down. Answered by every operation'));
  assert.ok(errors.includes('Tea. Send again? Perhaps unused. Answered by any request'));
});

test('a guide links to what it names, and its documents to their pages', () => {
  const page = pages.get('/docs/begin') ?? '';
  assert.ok(
    page.includes('<h2 id="taken-or-not"><a href="#taken-or-not"><code>taken</code> or not</a></h2>'),
  );
  assert.ok(page.includes('<a href="/docs/copyItem"><code>POST /items/{itemId}/copies</code></a>'));
  assert.ok(page.includes('<a href="/docs/errors#taken">errors</a>'));
  assert.ok(page.includes('<a href="/docs/begin#taken-or-not">below</a>'));
  assert.ok(page.includes('<span class="s">&quot;x&quot;</span> <span class="n">5</span>'));
  assert.throws(() => guideOf('x', 'No title'), /the guide x does not begin with a title/);
});

test('the address of the service stands escaped in every example, and between quotes in a shell', async () => {
  const plain = pages.get('/docs/wipe') ?? '';
  assert.match(plain, /curl -X DELETE https:\/\/example\.test\/v1\/all \\\n/);
  const odd = String((await docsSite(bundle, `https://a.test/$&'"<`).page('/docs/wipe'))?.plain);
  assert.match(odd, /curl -X DELETE &#39;https:\/\/a\.test\/\$&amp;%27&quot;&lt;\/v1\/all&#39; \\\n/);
  assert.equal(odd.split('/$&amp;%27&quot;&lt;/v1').length, plain.split('example.test/v1').length);
  for (const page of [plain, odd]) assert.ok(!page.includes(anyUrl));
});

test('two pages with one address are refused', async () => {
  await assert.rejects(renderDocs({ ...input, guides: [guide, guide] }), /two pages have the address/);
  assert.equal(site.page('/docs/nothing'), undefined);
});

test('text has a contrast of at least 4.5 to 1 in light and in dark', () => {
  const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme: dark)');
  const lightColours = coloursOf(light);
  const darkColours = { ...lightColours, ...coloursOf(dark.slice(0, dark.indexOf('*, ::before'))) };
  const inks = ['ink', 'soft', 'accent', 'warn', 'get', 'post', 'patch', 'put', 'delete'];
  const pairs = [
    ...inks.flatMap((ink) => [
      [ink, 'paper'],
      [ink, 'raised'],
    ]),
    ...['accent', 'ink', 'soft', 'warn'].map((ink) => [ink, 'accent-wash']),
    ...['panel-ink', 'panel-soft', 'key', 'string', 'number'].map((ink) => [ink, 'panel']),
    ['panel-soft', 'panel-head'],
  ];
  for (const [theme, colours] of Object.entries({ light: lightColours, dark: darkColours })) {
    for (const [ink = '', ground = ''] of pairs) {
      const ratio = contrast(colours[ink] ?? '', colours[ground] ?? '');
      assert.ok(ratio >= 4.5, `${theme}: ${ink} on ${ground} is ${ratio.toFixed(2)}`);
    }
  }
});

/** The text of a page's main part as a reader sees it, on one line. */
function words(href: string): string {
  const page = pages.get(href) ?? '';
  return page
    .slice(page.indexOf('<main'), page.indexOf('</main>'))
    .replace(/<\/?(?:code|wbr|span|b)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

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
