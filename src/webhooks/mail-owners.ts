import type { PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { mailPerson } from '../workspaces/mail-person.ts';
import { findOwners } from '../workspaces/people.sql.ts';
import type { WebhookRow } from './webhook-row.ts';

/** Mails the owners of the workspace, once it is committed, that a webhook was disabled. */
export async function mailOwners(
  tx: Tx,
  ctx: PublicCtx,
  { workspaceId, webhookId, url }: WebhookRow,
  why: 'gone' | 'no_success',
): Promise<void> {
  const publicId = encodeId('hook', webhookId);
  const addresses = (await findOwners(tx, workspaceId)).flatMap(({ email }) =>
    email === null ? [] : [email],
  );
  tx.unit.afterCommit(`mailOwners ${publicId}`, () => {
    for (const to of addresses)
      mailPerson(
        ctx,
        {
          to,
          key: `${publicId}_${ctx.app.now().getTime()}`,
          from: 'Punchcard',
          subject: 'A webhook was disabled',
          paragraphs: [
            `No more events are sent to the webhook ${publicId}, which leads to ${new URL(url).host}.`,
            reasons[why],
            'When its receiver works again, make it active with PATCH /webhooks/{webhookId}; POST /webhooks/{webhookId}/recover sends again what was not delivered.',
          ],
          link: { url: `${ctx.app.config.publicUrl}/docs`, text: 'The reference' },
        },
        'the owners were not mailed that a webhook was disabled',
      );
  });
}

const reasons = {
  gone: 'Its receiver has answered 410: it wants no more of them.',
  no_success: 'Nothing was delivered there for five days.',
} as const;
