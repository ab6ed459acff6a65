import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Client, Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { hostileStrings } from '../../test/hostile-strings.ts';
import { validatePkpass } from '../../tools/validator/validate-pkpass.ts';

const app = await startTestApp();
const root = new X509Certificate(readFileSync(join(app.config.dataDir, 'apple-development', 'root.pem')));
let client: Client;
before(async () => {
  ({ client } = await app.newWorkspace());
});

/** Opens every link of a card; each must work, and the pass file must be one that Apple Wallet takes. */
async function openAll(card: Json, what: string): Promise<void> {
  for (const link of [card.links.add, card.links.qr, card.links.card, `${card.links.card}/state`]) {
    const reply = await app.anyone.get(link, { headers: { accept: 'text/html' } });
    assert.equal(reply.status, 200, `${what}: ${reply.text.slice(0, 200)}`);
  }
  const file = await app.anyone.get(card.links.apple);
  assert.equal(file.status, 200, `${what}: ${file.text.slice(0, 200)}`);
  // Hundreds of changes within a few seconds put Last-Modified, the time of the signature, ahead of the clock.
  const now = new Date(Math.max(Date.now(), Date.parse(file.headers.get('last-modified') ?? '')));
  const findings = validatePkpass(file.body, { root, now });
  const errors = findings.filter(({ level }) => level === 'error');
  assert.deepEqual(errors, [], what);
}

const field = (key: string, more: object) => ({ key, label: 'L', value: 'V', section: 'back', ...more });

describe('the page and the pass file of a card bear', () => {
  it('every text that the API takes in a design', async () => {
    const pass = await makePass(client, { barcode: { mode: 'simple', value: 'CLUB' } });
    const card = await makeCard(client, pass.passId);
    for (const text of hostileStrings) {
      const fields: object[] = [];
      const take = async (change: object) =>
        (await client.patch(`/passes/${pass.passId}`, change)).status === 200;
      const taken = [
        await take({ title: text }),
        await take({ details: text }),
        await take({ terms: text }),
        await take({ barcode: { value: text } }),
        await take({ locations: [{ latitude: 1, longitude: 2, relevantText: text }] }),
      ];
      for (const candidate of [
        field('label', { label: text }),
        field('value', { value: text, section: 'header' }),
        field('change', { changeMessage: text }),
      ]) {
        if (await take({ fields: [...fields, candidate] })) fields.push(candidate);
      }
      if (taken.includes(true) || fields.length > 0) await openAll(card, JSON.stringify(text).slice(0, 80));
    }
  });

  it('every text that the API takes of a holder', async () => {
    const { passId } = await makePass(client);
    let taken = 0;
    for (const text of hostileStrings) {
      const body = { holder: { name: text }, fields: { tier: text }, barcode: text };
      const issued = await client.post(`/passes/${passId}/instances`, body);
      if (issued.status !== 201) continue;
      taken++;
      await openAll(issued.body, JSON.stringify(text).slice(0, 80));
    }
    assert.ok(taken > 40);
  });

  it('the longest barcodes in every format', async () => {
    const longest = {
      qr: '😀'.repeat(255),
      aztec: '😀'.repeat(255),
      pdf417: '😀'.repeat(255),
      code128: '~'.repeat(80),
      code39: '%'.repeat(40),
      codabar: '.'.repeat(40),
      itf: '8'.repeat(40),
    };
    for (const [format, value] of Object.entries(longest)) {
      const { passId } = await makePass(client, { barcode: { mode: 'simple', format, value } });
      await openAll(await makeCard(client, passId), format);
    }
  });

  it('a barcode that its new format cannot hold', async () => {
    const { passId } = await makePass(client);
    const card = await makeCard(client, passId, { barcode: 'Zoë ☕'.repeat(20) });
    for (const format of ['pdf417', 'aztec', 'code128', 'ean13', 'code39', 'codabar', 'itf']) {
      await client.patch(`/passes/${passId}`, { barcode: { format } });
      await openAll(card, format);
    }
  });

  it('as many and as long fields as there may be', async () => {
    for (const section of ['header', 'primary', 'secondary', 'auxiliary', 'back']) {
      const fields = Array.from({ length: 40 }, (_, at) => ({
        key: `field_${at}`,
        label: 'L'.repeat(120),
        value: 'V'.repeat(1_000),
        section,
      }));
      for (const type of ['loyalty', 'coupon', 'eventTicket', 'giftCard', 'generic']) {
        const { passId } = await makePass(client, { type, fields });
        await openAll(await makeCard(client, passId), `${type} ${section}`);
      }
    }
  });

  it('every name of the workspace', async () => {
    const { client: own } = await app.newWorkspace();
    const card = await makeCard(own, (await makePass(own)).passId);
    for (const name of hostileStrings) {
      const { status } = await own.patch('/workspace', { name });
      if (status === 200) await openAll(card, JSON.stringify(name).slice(0, 80));
    }
  });
});
