import assert from 'node:assert/strict';
import type { Client, Json, Reply } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import type { Mailbox } from '../../tools/fakes/mailbox.ts';
import { linksOf, type ReceivedMail } from '../../tools/fakes/received-mail.ts';
import { decodeId } from '../kit/ids.ts';
import { claimLink, unsubscribeLink } from './invite-link.ts';

/** The two links of an invitation, as paths. */
export interface InviteLinks {
  readonly claim: string;
  readonly unsubscribe: string;
}

/** Invites a person; what was answered. */
export async function invite(client: Client, passId: string, person: object): Promise<Json> {
  const reply = await client.post(`/passes/${passId}/invites`, person);
  assert.equal(reply.status, 202, reply.text);
  return reply.body;
}

/** Invites a person and waits for the mail. */
export async function inviteByMail(
  { client, mailbox }: { client: Client; mailbox: Mailbox },
  passId: string,
  person: { email: string },
): Promise<ReceivedMail> {
  await invite(client, passId, person);
  return mailbox.mailTo(person.email);
}

/** Where the links of a mail lead. */
export function inviteLinks(app: TestApp, mail: ReceivedMail): InviteLinks {
  const [claim = '', unsubscribe = '', ...more] = linksOf(mail).map((link) => {
    assert.ok(link.startsWith(`${app.config.publicUrl}/`), link);
    return link.slice(app.config.publicUrl.length);
  });
  assert.deepEqual(more, []);
  assert.match(claim, /^\/invites\/[\w-]{64}$/);
  assert.match(unsubscribe, /^\/unsubscribe\/[\w-]{64}$/);
  return { claim, unsubscribe };
}

/** Presses the button of a page, as a browser does. */
export function press(client: Client, path: string): Promise<Reply> {
  return client.send('POST', path, '', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

/** The links of an invitation that was not mailed. */
export async function storedLinks(app: TestApp, { inviteId }: Json): Promise<InviteLinks> {
  const [row] = await app.sql('select workspace_id, link_secret from invites where invite_id = $1', [
    decodeId('invite', inviteId),
  ]);
  const invite = {
    workspaceId: row?.workspace_id,
    inviteId: decodeId('invite', inviteId) ?? '',
    linkSecret: row?.link_secret,
  };
  return { claim: claimLink('', invite), unsubscribe: unsubscribeLink('', invite) };
}
