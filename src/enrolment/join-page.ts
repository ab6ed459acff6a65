import { readFileSync } from 'node:fs';
import type { PublicCtx } from '../context.ts';
import { type Html, html } from '../kit/html.ts';
import { encodeId } from '../kit/ids.ts';
import { filledHtml } from '../kit/text/fill-words.ts';
import { askedLanguage, wordsIn } from '../locales/languages.ts';
import type { Words } from '../locales/words.ts';
import type { FieldFormat } from '../passes/field-formats.ts';
import { isPersonKey } from '../passes/join-form.ts';
import { type JoinField, kindOf } from '../passes/pass-row.ts';
import { cardDrawing, imagesIn } from '../rendering/card-drawing.ts';
import { cardView } from '../rendering/card-view.ts';
import { pageHeaders } from '../rendering/link.schema.ts';
import { type CardView, shownColors } from '../rendering/page.ts';
import { type PageDocument, pageDocument } from '../rendering/page-document.ts';
import { joinPageStyle } from '../rendering/page-style.ts';
import { readNewCard } from '../rendering/read-cards.ts';
import { challengeFor } from './limit-joins.ts';
import type { OpenForm } from './open-form.ts';
import type { JoinProblem } from './read-entries.ts';

/** The language of a page of a pass: that of the browser, or else of the shop. */
export function readersLanguage(
  acceptLanguage: string | undefined,
  { workspace }: Pick<OpenForm, 'workspace'>,
) {
  return wordsIn(askedLanguage(acceptLanguage) ?? workspace.locale);
}

/** A form that was sent, and what is wrong with it. */
interface Refused {
  /** As a browser sends it. */
  readonly sent: Readonly<Record<string, string>>;
  readonly problem: { readonly key: string; readonly reason: JoinProblem };
}

/**
 * The page on which people enrol: what they get, and a form that works without scripts. One that was refused has what was
 * entered, and begins where something is wrong.
 */
export async function joinPage(
  ctx: PublicCtx,
  open: OpenForm,
  acceptLanguage: string | undefined,
  refused: Refused | null = null,
): Promise<PageDocument> {
  const { pass, workspace, form } = open;
  const { words, language } = readersLanguage(acceptLanguage, open);
  const { join } = words;
  const view = await viewOf(ctx, open, language);
  const title = form.headline ?? join.get[kindOf(pass.type)];
  const lead = form.text ?? (form.fields.length > 0 ? join.lead : join.leadBare);
  const picture = form.image === null ? undefined : pass.images[form.image]?.shown;
  const challenge = challengeFor(ctx, pass.passId);
  return framed(view, language, {
    title,
    to: '../',
    script: `${encodeId('pass', pass.passId)}/scripts/join.js`,
    body: html`<header class="intro">
${
  picture !== undefined &&
  html`<img class="join-picture" src="../images/${picture.hash}.png" width="${picture.width}" height="${picture.height}" alt="">`
}
<h1><bdi>${title}</bdi></h1>
<p class="lead"><bdi>${lead}</bdi></p>
</header>
<form class="join" method="post" target="_top" data-wait="${join.wait}">
${form.fields.map((field) => entry(field, open, words, refused))}
${form.consents.map((consent) => agreement(consent, words, refused))}
<input type="hidden" name="challenge" value="${challenge}"><input type="hidden" name="work" value="">
<button class="button own">${join.get[kindOf(pass.type)]}</button>
${form.fields.length + form.consents.length > 0 && html`<p class="hint">${filledHtml(join.privacy, { shop: workspace.name })}</p>`}
</form>`,
  });
}

/** The headers of that page; hosts of the shop may show it in a frame. */
export function joinPageHeaders({ form }: OpenForm, { policy }: PageDocument) {
  return {
    ...pageHeaders(policy, form.domainAllow),
    'cache-control': 'private, no-store',
    vary: 'accept-language',
  };
}

const inputs = {
  name: { type: 'text', most: 200 },
  email: { type: 'email', most: 254 },
  phone: { type: 'tel', most: 32 },
} as const;

/** Browsers write what these take as the formats want it, whatever the language; a moment needs a zone, which none asks for. */
const inputsByFormat: Partial<Record<FieldFormat, string>> = {
  number: 'number',
  percent: 'number',
  currency: 'number',
  date: 'date',
  time: 'time',
  link: 'url',
  phone: 'tel',
  email: 'email',
};

function inputOf({ fields }: OpenForm['pass'], key: string): string {
  return inputsByFormat[fields.find((field) => field.key === key)?.format ?? 'text'] ?? 'text';
}

function entry(
  { key, required, label }: JoinField,
  { pass }: OpenForm,
  { join }: Words,
  refused: Refused | null,
): Html {
  const isPerson = isPersonKey(key);
  const shown =
    label ?? (isPerson ? join[key] : pass.fields.find((field) => field.key === key)?.label || key);
  const { type, most } = isPerson ? inputs[key] : { type: inputOf(pass, key), most: 1_000 };
  const complete = isPerson && html` autocomplete="${key === 'phone' ? 'tel' : key}"`;
  const must = required && html` required`;
  const name = isPerson ? key : `field_${key}`;
  const sent = refused?.sent[name];
  const wrong = problemAt(key, refused, join);
  return html`<label class="entry"><span><bdi>${shown}</bdi>${!required && html` <small>${join.optional}</small>`}</span>
<input type="${type}" name="${name}" maxlength="${most}"${complete}${must} dir="auto"${type === 'number' && html` step="any"`}${sent && html` value="${sent}"`}${wrong?.marks}></label>${wrong?.text}\n`;
}

function agreement(
  { key, text, required }: OpenForm['form']['consents'][number],
  { join }: Words,
  refused: Refused | null,
): Html {
  const name = `consent_${key}`;
  const isGiven = (refused?.sent[name] ?? '') !== '';
  const wrong = problemAt(key, refused, join);
  return html`<label class="consent"><input type="checkbox" name="${name}" value="yes"${required && html` required`}${isGiven && html` checked`}${wrong?.marks}> <span><bdi>${text}</bdi></span></label>${wrong?.text}\n`;
}

/** What is wrong with an entry: below it, and read aloud with it. Null where nothing is. */
function problemAt(key: string, refused: Refused | null, { problems }: Words['join']) {
  if (refused?.problem.key !== key) return null;
  const { reason } = refused.problem;
  const { required, consent, email, phone, other } = problems;
  const malformed = key === 'email' ? email : key === 'phone' ? phone : other;
  const text = reason === 'required' ? required : reason === 'consent' ? consent : malformed;
  return {
    marks: html` aria-invalid="true" aria-describedby="problem" autofocus`,
    text: html`<p class="problem" id="problem">${text}</p>`,
  };
}

/** What a person reads whose mail is on its way, whether or not there is a card with their address. */
export async function sentPage(
  ctx: PublicCtx,
  open: OpenForm,
  { email, acceptLanguage }: { readonly email: string; readonly acceptLanguage: string | undefined },
): Promise<PageDocument> {
  const { words, language } = readersLanguage(acceptLanguage, open);
  const { join } = words;
  return framed(await viewOf(ctx, open, language), language, {
    title: join.sentTitle,
    to: '../',
    body: html`<header class="intro">
<h1>${join.sentTitle}</h1>
<p class="lead">${filledHtml(join.sentText, { email })}</p>
</header>
<p class="hint">${join.sentHint}</p>`,
  });
}

/** What the link of that mail opens: one button. To look at it changes nothing. */
export async function proofPage(
  ctx: PublicCtx,
  open: OpenForm,
  { email, acceptLanguage }: { readonly email: string; readonly acceptLanguage: string | undefined },
): Promise<PageDocument> {
  const { words, language } = readersLanguage(acceptLanguage, open);
  const { join } = words;
  return framed(await viewOf(ctx, open, language), language, {
    title: join.proveTitle,
    to: '../../../',
    body: html`<header class="intro">
<h1>${join.proveTitle}</h1>
<p class="lead">${filledHtml(join.proveText, { email })}</p>
</header>
<form class="join" method="post"><button class="button own">${join.prove}</button></form>`,
  });
}

/** The sample of the card, in the language of the page where the design has it. */
async function viewOf(ctx: PublicCtx, { pass }: OpenForm, language: string): Promise<CardView> {
  const card = await readNewCard(ctx, pass);
  if (card === undefined) throw new Error('a pass that was just read is gone');
  return cardView(ctx, card, language);
}

interface Framed {
  readonly title: string;
  /** From the page to the root of the service. */
  readonly to: string;
  readonly script?: string;
  readonly body: Html;
}

/** A page next to a picture of the card. */
function framed(view: CardView, language: string, { title, to, script, body }: Framed): PageDocument {
  const [icon] = [view.icon, ...Object.values(view.images)].filter((one) => one !== null);
  const head = html`${
    icon !== undefined && html`<link rel="icon" type="image/png" href="${to}images/${icon.hash}.png">`
  }
${script !== undefined && html`<script src="${script}" defer></script>`}`;
  // Browsers that may load images would ask for `/favicon.ico`.
  const policy = [icon && "img-src 'self'", script && "script-src 'self'"].filter(
    (part) => part !== undefined,
  );
  return pageDocument({
    title: `${title} · ${view.organization}`,
    description: view.details?.slice(0, 200) ?? null,
    language,
    style: joinPageStyle(shownColors(view)),
    brings: { head, policy: policy.join('; ') },
    hasForm: true,
    body: html`<main>
${body}
${cardDrawing(view, imagesIn(`${to}images/`))}
</main>`,
  });
}

/** The script of the page, and the one that a shop's own page loads to show it in a frame. */
export const joinScripts = new Map(
  ['join.js', 'frame.js'].map((name) => [
    name,
    readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8'),
  ]),
);
