import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import sharp from 'sharp';
import { makeCard, makePass } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { badgeAnswer, badgeFor, readBadges } from './badges.ts';

const folder = mkdtempSync(join(tmpdir(), 'badges-'));
after(() => rmSync(folder, { recursive: true }));

/** What is read of a folder with these files, and why the others are not. */
function read(files: Record<string, string | Buffer>) {
  const into = mkdtempSync(join(folder, 'some-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(into, name), content);
  const reasons: Record<string, unknown> = {};
  const log = {
    warn: (fields: { file?: string; reason?: string }) => {
      reasons[String(fields.file)] = fields.reason;
    },
  };
  return { badges: readBadges(into, log), reasons };
}

const svg = (inside: string, root = 'viewBox="0 0 156 48"') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${root}>${inside}</svg>`;
const good = svg(
  '<title>Add</title><!-- ours --><style>.a{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs><g clip-path="url(#c)"><path class="a" d="M0 0h9"/></g><use xlink:href="#g"/>',
);

describe('badges', () => {
  it('are read by wallet and language, and found by the language of a page', async () => {
    const png = await sharp({ create: { width: 300, height: 96, channels: 4, background: '#000' } })
      .png()
      .toBuffer();
    const { badges, reasons } = read({
      'apple-de.svg': good,
      'google-pt-BR.png': png,
      'google-pt.svg': good,
    });
    assert.deepEqual(reasons, {});
    const found = (wallet: 'apple' | 'google', language: string) => badgeFor(badges, wallet, language)?.name;
    assert.equal(found('apple', 'de'), 'apple-de.svg');
    assert.equal(found('apple', 'de-AT'), 'apple-de.svg');
    assert.equal(found('apple', 'fr'), undefined);
    assert.equal(found('google', 'de'), undefined);
    assert.equal(found('google', 'pt-BR'), 'google-pt-BR.png');
    assert.equal(found('google', 'pt'), 'google-pt.svg');
    const { width, height } = badgeFor(badges, 'google', 'pt-BR') ?? assert.fail();
    assert.deepEqual([width, height], [300, 96]);
    const { width: wide, height: high } = badgeFor(badges, 'apple', 'de') ?? assert.fail();
    assert.deepEqual([wide, high], [156, 48]);
  });

  it('are none where there is no folder', () => {
    assert.equal(readBadges(join(folder, 'nowhere'), { warn: () => assert.fail() }).size, 0);
  });

  it('run nothing where they are opened by themselves', () => {
    const { badges } = read({ 'apple-de.svg': good });
    const { headers, body } = badgeAnswer(badges, '/badges/apple-de.svg') ?? assert.fail();
    assert.equal(headers?.['content-type'], 'image/svg+xml');
    assert.match(headers?.['content-security-policy'] ?? '', /^default-src 'none';.*; sandbox$/);
    assert.equal(String(body), good);
    for (const path of ['/badges/', '/badges/apple-fr.svg', '/badges/apple-de.png', '/badges/../x', '/other'])
      assert.equal(badgeAnswer(badges, path), null, path);
  });

  const hostile: Record<string, string> = {
    'a script': svg('<script>alert(1)</script>'),
    'a handler': svg('<path onload="alert(1)" d=""/>'),
    'a handler of the root': svg('', 'viewBox="0 0 156 48" onload="alert(1)"'),
    'a link': svg('<a href="javascript:alert(1)"><path d=""/></a>'),
    'use of elsewhere': svg('<use href="https://evil.example/x.svg#a"/>'),
    'an image': svg('<image href="https://evil.example/x.png"/>'),
    'HTML inside': svg('<foreignObject><body/></foreignObject>'),
    'an animation': svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
    'a style that imports': svg('<style>@import "https://evil.example/x.css";</style>'),
    'a style that loads': svg('<style>.a{fill:url(https://evil.example/x)}</style>'),
    'a style with an escape': svg('<style>.a{fill:u\\72l(https://evil.example/x)}</style>'),
    'an attribute that loads': svg('<path fill="url(//evil.example/x)" d=""/>'),
    'an attribute with an entity': svg('<use href="#a&#x3a;b"/>'),
    'a DOCTYPE': `<!DOCTYPE svg [<!ENTITY x "y">]>${svg('')}`,
    'a style sheet': svg('').replace('<svg', '<?xml-stylesheet href="x.css"?><svg'),
    CDATA: svg('<style><![CDATA[@import "x";]]></style>'),
    'a tag that is not closed': svg('<path d="'),
    'no end': '<svg viewBox="0 0 156 48"><g>',
    'two roots': `${svg('')}<svg viewBox="0 0 156 48"></svg>`,
    'another root': '<g viewBox="0 0 156 48"></g>',
    HTML: '<!doctype html><script>alert(1)</script>',
    nothing: '',
    'no size': svg('', ''),
    'the size of a line': svg('', 'viewBox="0 0 1000 1"'),
    'a size below nothing': svg('', 'viewBox="0 0 -156 48"'),
  };
  for (const [what, text] of Object.entries(hostile))
    it(`are not used with ${what}`, () => {
      const { badges, reasons } = read({ 'apple-en.svg': text });
      assert.equal(badges.size, 0);
      assert.equal(typeof reasons['apple-en.svg'], 'string');
    });

  it('are not used when they are too large, of another kind, or of another name', () => {
    const { badges, reasons } = read({
      'apple-en.svg': svg(`<title>${'x'.repeat(140_000)}</title>`),
      'apple-de.png': good,
      'apple-de.svgz': good,
      'samsung-de.svg': good,
      'apple.svg': good,
      'readme.txt': 'x',
    });
    assert.equal(badges.size, 0);
    assert.equal(Object.keys(reasons).length, 6);
  });
});

describe('pages', () => {
  it('show badges in the language of the page, and a drawing where there is none', async () => {
    const DATA_DIR = mkdtempSync(join(folder, 'data-'));
    mkdirSync(join(DATA_DIR, 'badges'));
    writeFileSync(join(DATA_DIR, 'badges', 'apple-de.svg'), good);
    writeFileSync(join(DATA_DIR, 'badges', 'apple-fr.svg'), '<script/>');
    const app = await startTestApp({ WORKERS: 'off', DATA_DIR });
    const { client } = await app.newWorkspace();
    const { passId } = await makePass(client);
    const { links } = await makeCard(client, passId, { holder: { locale: 'de-AT' } });
    const page = await app.anyone.get(links.add);
    const [, link, address, label] =
      /<a class="badge" href="([^"]+)"><img src="\.\.(\/badges\/[^"]+)" alt="([^"]+)" width="169" height="52">/.exec(
        page.text,
      ) ?? assert.fail(page.text);
    assert.deepEqual([link, label], [links.apple, 'Zu Apple\u00a0Wallet hinzufügen']);
    assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self'; base-uri/);
    assert.match(
      (await app.anyone.get(links.card)).text,
      /<img src="\.\.\/\.\.\/badges\/apple-de\.svg\?v=\w{16}"/,
    );
    const file = await fetch(`${app.url}${address}`);
    assert.deepEqual([file.status, await file.text()], [200, good]);
    assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
    assert.equal((await fetch(`${app.url}/badges/apple-fr.svg`)).status, 404);
    for (const locale of ['fr', 'en']) {
      const { links: other } = await makeCard(client, passId, { holder: { locale } });
      assert.doesNotMatch((await app.anyone.get(other.add)).text, /<img|class="badge"/);
    }
  });
});
