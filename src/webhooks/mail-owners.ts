import type { PublicCtx } from '../context.ts';
import type { Tx } from '../kit/db/database.ts';
import { encodeId } from '../kit/ids.ts';
import { wordsIn } from '../locales/languages.ts';
import { mayMailTo } from '../mail/mail-limits.ts';
import { mailPerson } from '../mail/mail-person.ts';
import { findOwners } from '../people/people.sql.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
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
  const { words, language } = wordsIn((await ownWorkspace(tx, { workspaceId })).locale);
  const { mail } = words.people;
  tx.unit.afterCommit(`mailOwners ${publicId}`, () => {
    for (const to of addresses) void mailOwner(to);
  });

  async function mailOwner(to: string): Promise<void> {
    if (await mayMailTo(ctx, workspaceId, to))
      mailPerson(
        ctx,
        {
          to,
          key: `${publicId}_${ctx.app.now().getTime()}`,
          from: 'Punchcard',
          language,
          names: { webhook: publicId, host: new URL(url).host, ...calls },
          subject: mail.webhookSubject,
          paragraphs: [
            mail.webhookStopped,
            why === 'gone' ? mail.webhookGone : mail.webhookSilent,
            mail.webhookRepair,
          ],
          link: { url: `${ctx.app.config.publicUrl}/docs`, text: mail.reference },
        },
        'the owners were not mailed that a webhook was disabled',
      );
  }
}

const path = '/webhooks/{webhookId}';
const calls = { resume: `PATCH ${path}`, recover: `POST ${path}/recover` };
