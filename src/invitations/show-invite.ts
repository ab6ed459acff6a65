import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { html } from '../kit/html.ts';
import { filledHtml } from '../kit/text/fill-words.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import { kindOf, type PassRow } from '../passes/pass-row.ts';
import { cardDrawing, imagesIn } from '../rendering/card-drawing.ts';
import { cardView } from '../rendering/card-view.ts';
import { type CardView, shownColors } from '../rendering/page.ts';
import { type DocumentParts, type PageDocument, pageDocument } from '../rendering/page-document.ts';
import { cardPageStyle } from '../rendering/page-style.ts';
import { readNewCard } from '../rendering/read-cards.ts';
import { inviteByLink, inviteGone } from './invite-link.ts';
import { forInvited } from './inviter-brand.ts';
import type { LinkedInvite } from './invites.sql.ts';

/**
 * The page of an invitation: what its card will look like. Changes nothing. Raises `invite_not_found`, and, where no
 * card could be taken, `workspace_suspended`, `pass_archived` and `pass_not_active`.
 */
export async function showInvite(
  ctx: PublicCtx,
  token: string,
  acceptLanguage: string | undefined,
): Promise<PageDocument> {
  const invite = await inviteByLink(ctx, token, 'claim');
  return forInvited(ctx, invite, ({ pass }) => showTo(ctx, invite, pass, acceptLanguage));
}

async function showTo(
  ctx: PublicCtx,
  invite: LinkedInvite,
  pass: PassRow | undefined,
  acceptLanguage: string | undefined,
): Promise<PageDocument> {
  const { email, name, locale, workspaceLocale, instanceId } = invite;
  const card = await readNewCard(ctx, invite);
  if (pass === undefined || card === undefined || email === null) throw inviteGone();
  if (instanceId === null) {
    if (invite.suspendedAt !== null)
      throw refusal('workspace_suspended', 'This shop gives out no cards at the moment.');
    if (pass.status === 'archived') throw refusal('pass_archived', 'This card is given out no longer.');
    if (pass.status === 'draft') throw refusal('pass_not_active', 'This card is not given out yet.');
  }
  const view = cardView(ctx, card, locale ?? askedLanguage(acceptLanguage) ?? workspaceLocale);
  return claimPage(view, { name, hasCard: instanceId !== null });
}

/**
 * The page that an invitation leads to: the card as it will be, and one button. To look at it changes nothing, since the
 * programs that look after mail follow links too.
 */
function claimPage(view: CardView, person: { name: string | null; hasCard: boolean }): PageDocument {
  const { words: all, language } = wordsIn(view.reader);
  const words = all.invite;
  const kind = kindOf(view.type);
  const { name, hasCard } = person;
  return pageDocument({
    title: `${view.title} · ${view.organization}`,
    description: view.details?.slice(0, 200) ?? null,
    language,
    // The colours at the top end on a short page as they do on a long one.
    style: `${cardPageStyle(shownColors(view))}html { min-height: 100vh; }\n`,
    ...bringsImages(view),
    hasForm: true,
    body: html`<main>
<header class="intro">
${name !== null && html`<p class="hello">${filledHtml(words.hello, { name })}</p>`}
<h1>${hasCard ? words.haveTitle : words.waiting[kind]}</h1>
<p class="lead">${hasCard ? words.haveLead : words.claimLead}</p>
</header>
${cardDrawing(view, imagesIn('../images/'))}
<form class="act primary" method="post"><button class="button">${hasCard ? words.open : words.take[kind]}</button></form>
</main>`,
  });
}

/** A page that may load images is asked for an icon too: one of its own images, since there is no other. */
function bringsImages({ icon, images }: CardView): Pick<DocumentParts, 'brings'> {
  const [image] = [icon, ...Object.values(images)].filter((one) => one !== null);
  if (image === undefined) return {};
  const head = html`<link rel="icon" type="image/png" href="../images/${image.hash}.png">`;
  return { brings: { head, policy: "img-src 'self'" } };
}
