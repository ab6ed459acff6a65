import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Client, Json, Reply } from '../../test/client.ts';
import { makePass } from '../../test/factories.ts';
import type { TestApp } from '../../test/harness.ts';
import { linksOf, type ReceivedMail } from '../../tools/fakes/received-mail.ts';
import { encodeIdToken } from '../kit/crypto/tokens.ts';
import { decodeId } from '../kit/ids.ts';

/** A pass that asks for a name and an address, and for a consent. */
export const askingForm = {
  enabled: true,
  fields: [{ key: 'name', required: true }, { key: 'email' }, { key: 'tier', label: 'Favourite' }],
  consents: [
    { key: 'terms', text: 'I accept the terms of Blue Bean.', required: true },
    { key: 'news', text: 'Blue Bean may write to me.', required: false },
  ],
};

/** A published pass that people may enrol to. */
export function makeJoinPass(client: Client, join: object = {}, design: object = {}): Promise<Json> {
  return makePass(client, { ...design, join: { ...askingForm, ...join } });
}

/** A client with an address of its own: a service that trusts its proxy believes it. */
export function from(app: TestApp, address: string): Client {
  return app.anyone.with({ 'x-forwarded-for': address });
}

let people = 0;
/** Another client each time. */
export function stranger(app: TestApp): Client {
  people += 1;
  return from(app, `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`);
}

/** Sends the form of a page, as a browser without scripts does. */
export function sendForm(client: Client, passId: string, form: Record<string, string>): Promise<Reply> {
  return client.send('POST', `/join/${passId}`, new URLSearchParams(form).toString(), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** What a complete form has. */
export const complete = { name: 'Ada Lovelace', consent_terms: 'yes' };

/** Presses the button of a page. */
export function press(client: Client, path: string): Promise<Reply> {
  return client.send('POST', path, '', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
}

/** Where the button of a mail leads, as a path. */
export function proofLink(app: TestApp, mail: ReceivedMail): string {
  const [link = '', ...more] = linksOf(mail);
  assert.deepEqual(more, []);
  assert.ok(link.startsWith(`${app.config.publicUrl}/join/pass_`), link);
  return link.slice(app.config.publicUrl.length);
}

/** Where the button of the newest mail of a pass leads, whether or not it was sent. */
export async function storedLink(app: TestApp, passId: string): Promise<string> {
  const [row] = await app.sql(
    'select workspace_id, proof_id, link_secret from join_proofs where pass_id = $1 order by proof_id desc limit 1',
    [decodeId('pass', passId)],
  );
  const token = encodeIdToken({ scope: row?.workspace_id, id: row?.proof_id, secret: row?.link_secret });
  return `/join/${passId}/confirm/${token}`;
}

/** The challenge of a page, with the work that it asks for. */
export async function workFor(client: Client, passId: string): Promise<{ challenge: string; work: string }> {
  const { body } = await client.get(`/join/${passId}/form`);
  return { challenge: body.challenge, work: solve(body.challenge, body.bits) };
}

function solve(challenge: string, bits: number): string {
  for (let tries = 0; ; tries++) {
    const digest = createHash('sha256').update(`${challenge}:${tries}`).digest();
    if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return String(tries);
  }
}
