import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { pino } from 'pino';
import { invite, storedLinks } from '../../src/invitations/invites.fixture.ts';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Json } from '../client.ts';
import { startTestApp } from '../harness.ts';
import { until } from '../wallets.ts';

/**
 * Texts that the service accepted are shown to people and programs: each of these places must render them as texts only.
 * Pass files, drawings and web cards have tests next to their code, with every text of hostile-strings.ts.
 */
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
const app = await startTestApp({}, log);
const { client } = await app.newWorkspace();

const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '</style><script>alert(1)</script>',
  '--><script>alert(1)</script>',
  'javascript:alert(1)',
  '{{constructor.constructor("alert(1)")()}}',
  '=HYPERLINK("https://evil.example","x")',
  '+1+1',
  '-2+3',
  '@SUM(A1:A9)',
  "'=1+1",
  '=1+1,"b"',
  'Bcc: eve@evil.example',
  '=?utf-8?q?=0D=0ABcc:_eve=40evil.example?=',
  '%s%n%x',
  '{"level":60,"msg":"forged"}',
  'evil\u202egpj.exe',
  'zero\u200bwidth',
];
/** Line breaks are refused in most places; where one is taken it must stay where it is. */
const broken = ['a\r\nBcc: eve@evil.example', 'a\nb\n{"level":60}', '\t=1+1', '\r=1+1'];

/** All that a workspace can say with one text; what of it was taken. */
async function say(text: string, n: number): Promise<Json> {
  const take = async (method: string, path: string, body: Json) => {
    const reply = await client.send(method, path, body);
    assert.ok(reply.status < 500, `${path}: ${reply.text}`);
    return reply.status < 300 ? reply.body : null;
  };
  await take('PATCH', '/workspace', { name: text });
  const design = {
    title: text,
    details: text,
    terms: text,
    fields: [{ key: 'tier', label: text, value: text, section: 'back', changeMessage: text }],
  };
  const reward = { title: text, cost: 10 };
  const plain = { mode: 'POINTS', reward: { title: 'Coffee', cost: 10 } };
  const { pass, program } = await makeProgram(client, plain, { design: { title: `Pass ${n}` } });
  await take('PATCH', `/passes/${pass.passId}`, design);
  for (const [name, value] of Object.entries(design))
    await take('PATCH', `/passes/${pass.passId}`, { [name]: value });
  await take('PATCH', `/loyalty/programs/${program.programId}`, {
    reward,
    pointName: { one: text, other: text },
  });
  const partner = await take('POST', '/partners', { name: text, externalId: `${n}` });
  const holder = { identifier: text, name: text };
  const issued = await take('POST', `/passes/${pass.passId}/instances`, {
    holder,
    barcode: text,
    ...(partner !== null && { partnerId: partner.partnerId }),
  });
  const card =
    issued ?? (await client.post(`/passes/${pass.passId}/instances`, { holder: { name: 'Ada' } })).body;
  const target = { passId: pass.passId, instanceId: card.instanceId };
  await take('POST', '/loyalty/points', { ...target, points: 5, reason: text });
  await take('POST', `/passes/${pass.passId}/messages`, { text });
  const person = { email: `ada-${n}@example.com`, name: text };
  const invited =
    (await take('POST', `/passes/${pass.passId}/invites`, person)) ??
    (await invite(client, pass.passId, { email: person.email }));
  return { text, pass, program, partner, card, invited };
}

const said: Json[] = [];
for (const [n, text] of [...texts, ...broken].entries()) said.push(await say(text, n));

/** Markup that a text would make if it were not escaped. */
const markup = /<script>alert|<img src=x|<svg onload|' onmouseover='alert|(?:href|src|action)="javascript:/i;

describe('texts that were taken', () => {
  it('are texts on every page, whose policy lets no script in', async () => {
    for (const { card, invited, text } of said) {
      const links = await storedLinks(app, invited);
      const pages = [card.links.add, card.links.card, links.claim, links.unsubscribe, `${card.links.add}x`];
      for (const page of pages) {
        const { headers, text: html } = await app.anyone.get(page, { headers: { accept: 'text/html' } });
        assert.match(headers.get('content-type') ?? '', /^text\/html/);
        const found = markup.exec(html);
        assert.equal(
          found,
          null,
          `${text} on ${page}: ${html.slice((found?.index ?? 0) - 80, (found?.index ?? 0) + 80)}`,
        );
        // An error has it in the page alone.
        const policy =
          headers.get('content-security-policy') ??
          /http-equiv="content-security-policy" content="([^"]*)"/.exec(html)?.[1] ??
          '';
        assert.match(policy, /default-src ('|&#39;)none\1/);
        assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
        // Each script that a page has is a file of the service.
        for (const [tag] of html.matchAll(/<script\b[^>]*>/g)) assert.match(tag, /\ssrc="/);
      }
    }
  });

  it('are no formulas in a CSV file', async () => {
    let cells = 0;
    for (const { program, partner } of said) {
      const files = [`/loyalty/programs/${program.programId}/balances.csv`];
      const month = new Date().toISOString().slice(0, 7);
      if (partner !== null) files.push(`/partners/${partner.partnerId}/statement.csv?month=${month}`);
      for (const file of files) {
        const rows: string[][] = parse((await client.get(file)).text, { relax_column_count: true });
        for (const cell of rows.flat()) {
          cells++;
          assert.ok(
            !/^[=+\-@\t\r]/.test(cell) || /^-?\d+(\.\d+)?$/.test(cell),
            `${file}: ${JSON.stringify(cell)}`,
          );
        }
      }
    }
    assert.ok(cells > 100);
  });

  it('are no headers of a mail', async () => {
    const folder = join(app.config.dataDir, 'mail');
    const letters = async () =>
      (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'));
    await until('all mails are written', async () => (await letters()).length >= said.length);
    for (const name of await letters()) {
      const [head = ''] = (await readFile(join(folder, name), 'utf8')).split(/\r?\n\r?\n/);
      const names = head.split(/\r?\n(?![ \t])/).map((line) => line.split(':', 1)[0]?.toLowerCase());
      assert.ok(!names.includes('bcc') && !names.includes('cc'), head);
      assert.deepEqual(names.filter((one) => one === 'to').length, 1, head);
      assert.doesNotMatch(head.replaceAll(/\r\n/g, ''), /[\r\n\0]/);
    }
  });

  it('forge no line of the log', () => {
    assert.ok(lines.length > said.length);
    for (const line of lines) {
      assert.equal(line.indexOf('\n'), line.length - 1);
      const { msg } = JSON.parse(line);
      assert.notEqual(msg, 'forged');
      assert.ok(!line.includes('alert(1)'), 'a text of a request is in no log');
    }
  });

  it('come back from the API as they were sent', async () => {
    for (const { pass, card, text } of said) {
      const { body } = await client.get(`/passes/${pass.passId}`);
      const shown = await client.get(`/instances/${card.instanceId}`);
      for (const value of [body.title, shown.body.holder?.name])
        assert.ok(
          [text, text.trim(), 'Ada', null].includes(value) || /^Pass \d+$/.test(value),
          JSON.stringify(value),
        );
    }
  });
});
