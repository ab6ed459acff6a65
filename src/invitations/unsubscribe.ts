import { cardColors } from '../cards/card-colors.ts';
import type { PublicCtx } from '../context.ts';
import { html } from '../kit/html.ts';
import { filledHtml, filledText } from '../kit/text/fill-words.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { type PageDocument, pageDocument } from '../rendering/page-document.ts';
import { brandedStyle, QUESTION_PAGE_STYLE } from '../rendering/page-style.ts';
import { bringsLogo, shopSign } from '../rendering/shop-sign.ts';
import { emitInviteEvent } from './emit-invite-event.ts';
import { stopInvitesTo } from './forgetting.sql.ts';
import { inviteByLink } from './invite-link.ts';
import { readInviter } from './inviter-brand.ts';
import { insertSuppression, type LinkedInvite, lockInvite } from './invites.sql.ts';

/**
 * Stops all mails of the workspace to the address of an invitation, waiting ones included. Repeating the call changes
 * nothing. Raises `invite_not_found`.
 */
export async function unsubscribe(ctx: PublicCtx, token: string): Promise<LinkedInvite> {
  const invite = await inviteByLink(ctx, token, 'unsubscribe');
  const { workspaceId, emailHash } = invite;
  await ctx.app.database.transaction(async (tx) => {
    const suppression = { workspaceId, emailHash, reason: 'unsubscribed', createdAt: ctx.app.now() } as const;
    const isFirst = await insertSuppression(tx, suppression);
    const before = await lockInvite(tx, invite);
    await stopInvitesTo(tx, workspaceId, emailHash);
    const after = await lockInvite(tx, invite);
    if (isFirst && before !== undefined && after !== undefined)
      emitInviteEvent(tx, ctx, 'invite.unsubscribed', 'holder', before, after);
  });
  return invite;
}

/** The page that asks whether a shop is to write no more, or says that it will not. Only its button changes anything. */
export async function unsubscribePage(
  ctx: PublicCtx,
  invite: LinkedInvite,
  acceptLanguage: string | undefined,
): Promise<PageDocument> {
  const { brand } = await readInviter(ctx, invite);
  const locale = invite.locale ?? askedLanguage(acceptLanguage) ?? invite.workspaceLocale;
  const { words: all, language } = wordsIn(locale);
  const words = all.invite;
  const shop = { shop: invite.organization };
  const [title, text] = invite.isSuppressed
    ? [words.endedTitle, words.endedText]
    : [words.endTitle, words.endText];
  return pageDocument({
    title: filledText(title, shop),
    description: null,
    language,
    style: brandedStyle(QUESTION_PAGE_STYLE, cardColors(brand.colors)),
    ...bringsLogo(brand),
    hasForm: true,
    body: html`<main>
${shopSign(brand)}
<h1>${filledHtml(title, shop)}</h1>
<p>${filledHtml(text, shop)}</p>
${!invite.isSuppressed && html`<form method="post"><button class="button">${words.end}</button></form>`}
</main>`,
  });
}
