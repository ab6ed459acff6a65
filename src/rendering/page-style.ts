import { type CardColors, edgeOn, tinted } from '../cards/card-colors.ts';

/** The style sheet of the "Add to wallet" page. Equal colours give equal text. */
export function cardPageStyle(colors: CardColors): string {
  return cardStyle(colors, LAYOUT);
}

/** A style sheet for a card and the buttons below it, on a page of that layout. Equal arguments give equal text. */
export function cardStyle(colors: CardColors, layout: string): string {
  const theme = Object.entries(cardTheme(colors)).map(([name, value]) => `${name}: ${value};`);
  return `:root { ${theme.join(' ')} }${BASE}${layout}${CARD}${BUTTONS}`;
}

/** The colours of a card as properties of its style sheet. */
export function cardTheme({ background, shade, foreground, label }: CardColors): Record<string, string> {
  return {
    '--card': background,
    '--card-shade': shade,
    '--card-ring': `${shade}73`,
    '--card-ink': foreground,
    '--card-label': label,
    '--edge-by-day': edgeOn(background, groundsOf(paper.day, background)),
    '--edge-by-night': edgeOn(background, groundsOf(paper.night, background)),
  };
}

const paper = { day: '#f6f5f2', night: '#121417' };

/** The paper of a page, and what its top has of the card's colour. */
function groundsOf(ground: string, color: string): string[] {
  return [ground, tinted(ground, color, 0.09)];
}

const BASE = `
:root {
  color-scheme: light dark;
  --paper: ${paper.day}; --raised: #ffffff; --ink: #1a1b1e; --soft: #595c63; --line: #dedcd6; --focus: #1d4ed8;
  --alert: #fdecea; --alert-ink: #8c1d18; --note: #fdf3d7; --note-ink: #6b4700;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: ${paper.night}; --raised: #1c1f24; --ink: #f2f2f0; --soft: #abafb6; --line: #31353b; --focus: #9ec1ff;
    --alert: #3a1a18; --alert-ink: #ffb4ab; --note: #33290f; --note-ink: #f5d27a;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 -apple-system, "Segoe UI", Roboto, Inter, system-ui, sans-serif; }
h1, h2, p, dl, dd, figure { margin: 0; }
h1, h2 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h1 { font-size: clamp(1.5rem, 1.15rem + 1.6vw, 2.125rem); font-weight: 700; }
a { color: inherit; text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: .25rem; }
main, footer { margin: 0 auto; max-width: 26.5rem; padding: 0 1.25rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.problem { color: var(--alert-ink); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; gap: .625rem; margin-top: 1.25rem; }
.actions .button { flex: 1 1 10rem; width: auto; }
input[aria-invalid] { border-color: var(--alert-ink); outline: 2px solid var(--alert-ink); }
`;

const LAYOUT = `
body { background-image: linear-gradient(color-mix(in srgb, var(--card) 9%, transparent), transparent 24rem);
  background-repeat: no-repeat; }
main { padding-top: 1.5rem; }
.intro { margin-bottom: 1.25rem; }
.hello, .lead { color: var(--soft); }
.lead { margin-top: .25rem; text-wrap: balance; }
.banner { margin-bottom: 1.25rem; padding: .875rem 1rem; border-radius: .75rem; font-size: .9375rem; background: var(--note);
  color: var(--note-ink); }
.banner.alert { background: var(--alert); color: var(--alert-ink); }
.banner strong { display: block; }
.act { margin-top: 1.25rem; }
.act.primary { position: sticky; bottom: 0; z-index: 1; padding: .75rem 1.25rem; margin: .5rem -1.25rem 0;
  background: linear-gradient(transparent, var(--paper) 1.25rem); }
@media (max-height: 26rem) { .act.primary { position: static; } }
.hint { color: var(--soft); font-size: .875rem; text-align: center; }
.other { margin-top: 1.5rem; }
.other + .hint { margin-top: .5rem; }
.other h2, .scan h2 { font-size: 1rem; font-weight: 600; }
.other h2 { margin-bottom: .625rem; }
.buttons { display: grid; gap: .625rem; }
.scan { display: flex; gap: 1.25rem; align-items: center; margin-top: 1.5rem; padding: 1.25rem; border-radius: 1rem;
  background: var(--raised); border: 1px solid var(--line); }
.scan svg { flex: none; display: block; width: 11rem; height: auto; border-radius: .5rem; forced-color-adjust: none; }
.scan h2 { font-size: 1.125rem; }
.scan p { margin-top: .375rem; color: var(--soft); font-size: .9375rem; }
.about { margin-top: 2rem; }
.about h2 { font-size: 1.125rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
.about dl > div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.about dt { color: var(--soft); font-size: .875rem; }
.about dd { white-space: pre-line; }
.about dt, .about dd { text-align: match-parent; }
footer { padding-top: 1.5rem; padding-bottom: 2rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 26rem) {
  .scan { flex-direction: column; align-items: flex-start; }
}
@media (min-width: 56rem) {
  main { max-width: 62rem; padding-top: 3.5rem; display: grid; column-gap: 4.5rem;
    grid-template-columns: 23.5rem minmax(0, 1fr); grid-template-rows: repeat(6, auto) 1fr; }
  main > * { grid-column: 2; }
  .card-frame { grid-column: 1; grid-row: 1 / -1; align-self: start; }
  .intro { margin-bottom: 1.75rem; }
  .lead { font-size: 1.125rem; }
  .act.primary { position: static; margin: 0; padding: 0 0 .75rem; background: none; max-width: 24rem; }
  .scan { margin-top: 0; }
  .hint { text-align: start; }
  .buttons { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); }
  .buttons .button { font-size: 1rem; padding: .625rem .75rem; }
  .buttons:not(:has(a + a)) { max-width: 24rem; }
  .about dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 1.25rem; }
  .about dt { padding-top: .0625rem; }
  footer { max-width: 62rem; padding-top: 3rem; }
}
@media print {
  body { background: none; }
  .act, .other, .actions, .scan, footer { display: none; }
  .card { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;

const CARD = `
.card-frame { filter: drop-shadow(0 .125rem .25rem rgb(0 0 0 / .12)) drop-shadow(0 1rem 1.75rem rgb(0 0 0 / .18)); }
.card { display: flex; flex-direction: column; gap: 1.125rem; min-height: 14rem; padding: 1.125rem; border-radius: 1.125rem;
  box-shadow: inset 0 0 0 1px rgb(128 128 128 / .2); color: var(--card-ink); background: var(--card)
    radial-gradient(circle at var(--corner, 100%) 0, var(--card-shade) 0 7.5rem, var(--card-ring) calc(7.5rem + 1px) 13rem, transparent calc(13rem + 1px))
    no-repeat; }
.card[dir="rtl"] { --corner: 0; }
.card-top { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; }
.issuer { display: flex; flex: 1 1 9rem; gap: .625rem; align-items: center; min-width: 0; font-weight: 600; line-height: 1.25; }
.monogram { flex: none; display: grid; place-items: center; width: 2.125rem; height: 2.125rem; border-radius: 50%;
  background: var(--card-ink); color: var(--card); font-size: 1.0625rem; font-weight: 700; line-height: 1; }
.card-title { font-size: 1.0625rem; font-weight: 600; letter-spacing: 0; }
.card-title:not(:has(+ .primary, + .stamps, + .across)) { font-size: 1.75rem; font-weight: 700; letter-spacing: -.02em; margin: .75rem 0; }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(5.5rem, 100%), 1fr)); gap: .875rem 1rem; }
.fields dt { color: var(--card-label); font-size: .75rem; font-weight: 600; line-height: 1.3; letter-spacing: .02em; }
.fields dd { font-size: 1.0625rem; line-height: 1.3; }
.fields.header { display: flex; max-width: 100%; flex-wrap: wrap; justify-content: flex-end; text-align: end; margin-inline-start: auto; }
.fields.header dd { font-size: 1.25rem; font-weight: 600; line-height: 1.15; }
.card-title + .fields { margin-top: -.375rem; }
.card img { display: block; height: auto; max-width: 100%; }
.issuer:has(.logo) { flex-wrap: wrap; row-gap: .375rem; }
.issuer .logo { flex: none; }
.card .across { width: calc(100% + 2.25rem); max-width: none; margin: 0 -1.125rem; }
.with-thumbnail { display: flex; gap: 1rem; align-items: flex-start; }
.with-thumbnail > div { display: grid; flex: 1; gap: 1.125rem; min-width: 0; }
.with-thumbnail .thumbnail { flex: none; max-width: 40%; border-radius: .375rem; }
.lifeless :is(img, image) { filter: grayscale(1); opacity: .75; }
.stamps { display: block; width: calc(100% + 1.5rem); margin: -.375rem -.75rem; height: auto; }
.fields.primary dd { font-size: 2.75rem; font-weight: 700; line-height: 1.1; letter-spacing: -.03em; }
.fields.primary.long dd { font-size: 1.75rem; letter-spacing: -.02em; }
.fields.primary.longest dd { font-size: 1.25rem; letter-spacing: 0; line-height: 1.25; }
.fields.ready dd { font-size: 1.5rem; font-weight: 700; line-height: 1.2; letter-spacing: -.015em; }
.code { align-self: center; margin-top: auto; padding: .25rem; border-radius: .75rem; max-width: 100%; text-align: center;
  background: #ffffff; color: #111111; forced-color-adjust: none; }
.code svg { display: block; margin: 0 auto; width: 10rem; max-width: 100%; height: auto; }
.code.pdf417, .code.linear { align-self: stretch; }
.code.pdf417 svg, .code.linear svg { width: 100%; }
.code.linear svg { height: 5.5rem; }
.code figcaption { padding: 0 .5rem .375rem; font-size: .8125rem; letter-spacing: .06em; }
.coupon { border-radius: 0; padding-top: 1.75rem; padding-bottom: 1.75rem;
  -webkit-mask: conic-gradient(from 135deg at top, #0000, #000 1deg 89deg, #0000 90deg) top / .875rem 51% repeat-x,
    conic-gradient(from -45deg at bottom, #0000, #000 1deg 89deg, #0000 90deg) bottom / .875rem 51% repeat-x;
  mask: conic-gradient(from 135deg at top, #0000, #000 1deg 89deg, #0000 90deg) top / .875rem 51% repeat-x,
    conic-gradient(from -45deg at bottom, #0000, #000 1deg 89deg, #0000 90deg) bottom / .875rem 51% repeat-x; }
.eventTicket { padding-top: 2rem;
  -webkit-mask: radial-gradient(circle at 50% 0, #0000 1.25rem, #000 calc(1.25rem + 1px));
  mask: radial-gradient(circle at 50% 0, #0000 1.25rem, #000 calc(1.25rem + 1px)); }
.expired .code { opacity: .4; }
@media (forced-colors: active) { .card { border: 2px solid; -webkit-mask: none; mask: none; } .banner { border: 1px solid; } }
@media (prefers-reduced-motion: no-preference) {
  .card-frame { animation: rise .5s cubic-bezier(.2, .7, .2, 1) both; }
  @keyframes rise { from { opacity: 0; transform: translateY(.75rem); } }
}
`;

const BUTTONS = `
.button { display: flex; gap: .625rem; align-items: center; justify-content: center; min-height: 3.25rem; padding: .625rem 1rem;
  border: 1px solid #000000; border-radius: .875rem; background: #000000; color: #ffffff; font-size: 1.0625rem;
  font-weight: 600; line-height: 1.25; text-align: center; text-decoration: none; }
button.button { width: 100%; font-family: inherit; cursor: pointer; }
.button:focus-visible { border-radius: .875rem; }
.button svg { flex: none; width: 1.75rem; height: auto; }
.button span { text-wrap: balance; }
/* The clear space that both wallets ask for: a tenth of the height, and 8 pixels. */
.badge { display: block; width: fit-content; max-width: 100%; margin-inline: auto; padding: .5rem; border-radius: .875rem; }
.badge img { display: block; max-width: 100%; height: auto; }
.button.quiet { background: transparent; border-color: var(--line); color: var(--ink); font-size: 1rem; }
@media (prefers-color-scheme: dark) { .button { border-color: #666b73; } .button.quiet { border-color: #4a4f57; } }
@media (hover: hover) { .button:hover { background: #26282c; } .button.quiet:hover { background: var(--raised); } }
@media (prefers-reduced-motion: no-preference) {
  .button { transition: transform .12s, background-color .12s; }
  .button:active { transform: scale(.98); }
}
`;

const FORM = `
form.join { display: grid; gap: 1rem; max-width: 26rem; }
form.join label.entry { display: grid; gap: .375rem; font-weight: 600; }
form.join label.entry small { font-weight: 400; font-size: .875rem; color: var(--soft); }
form.join label.entry input { width: 100%; min-height: 3rem; padding: .625rem .75rem; border: 1px solid var(--soft);
  border-radius: .75rem; background: var(--raised); color: var(--ink); font: inherit; font-weight: 400; }
form.join label.consent { display: grid; grid-template-columns: auto 1fr; gap: .75rem; align-items: start; font-size: .9375rem; }
form.join label.consent input { width: 1.375rem; height: 1.375rem; margin: .0625rem 0 0; accent-color: var(--ink); }
form.join label.consent span { white-space: pre-line; }
form.join .hint { font-size: .8125rem; }
form.join .problem { margin: -.625rem 0 0; font-size: .9375rem; text-align: start; }
main > .hint, form.join .hint { text-align: start; }
.join-picture { display: block; width: 100%; height: auto; max-height: 14rem; object-fit: cover; border-radius: 1rem; margin-bottom: 1.25rem; }
.intro p.lead { white-space: pre-line; }
.button.own { background: var(--card); color: var(--card-ink); border: 2px solid var(--edge-by-day); }
@media (prefers-color-scheme: dark) { .button.own { border-color: var(--edge-by-night); } }
.button[aria-busy="true"] { opacity: .7; }
@media (hover: hover) { .button.own:hover { background: var(--card-shade); } }
@media (max-width: 55.99rem) { .card-frame { margin: 2rem 0 2.5rem; } }
`;

/** That of the page on which people enrol. */
export function joinPageStyle(colors: CardColors): string {
  return `${cardPageStyle(colors)}${FORM}html { min-height: 100vh; }\n`;
}

const MESSAGE = `
main { max-width: 30rem; min-height: 88vh; padding-top: 2rem; padding-bottom: 2rem; display: flex; flex-direction: column;
  justify-content: center; }
.sign { width: 5rem; height: auto; color: var(--soft); margin-bottom: 1.5rem; }
h1 { margin-bottom: .75rem; }
p + p { margin-top: .75rem; }
.reference { margin-top: 2.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .8125rem; color: var(--soft); }
code { font: .8125rem/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
`;

/** The style sheet of the error page. */
export const ERROR_PAGE_STYLE = `${BASE}${MESSAGE}`;

/** The same style sheet where the page is about a shop, in the colours of its pass. */
export function brandedStyle(style: string, { background, foreground }: CardColors): string {
  return `${style}
.shop { align-self: flex-start; max-width: 100%; margin-bottom: 1.5rem; padding: .75rem 1rem; border-radius: .875rem;
  background: ${background}; color: ${foreground}; font-weight: 600; box-shadow: inset 0 0 0 1px rgb(128 128 128 / .2); }
.shop + h1 { margin-top: 0; }
.shop img { display: block; max-width: 100%; height: auto; }
`;
}

/** That of the page of the service itself. */
export const HOME_PAGE_STYLE = `${BASE}${MESSAGE}${BUTTONS}
.doors { display: grid; gap: .625rem; margin: 2rem 0; }
.doors .button { width: 100%; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.0625rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { border-top: 1px solid var(--line); padding: .625rem 0; }
li a { display: inline-block; min-height: 1.5rem; font-weight: 600; }
li span { display: block; font-size: .875rem; color: var(--soft); }
`;

/** That of the pages on which people sign in. */
export const SIGN_IN_PAGE_STYLE = `${BASE}${MESSAGE}${BUTTONS}
form { margin-top: 2rem; }
label { display: block; margin-bottom: .375rem; font-weight: 600; }
input { width: 100%; min-height: 3rem; padding: .625rem .75rem; margin-bottom: 1rem; border: 1px solid var(--soft);
  border-radius: .75rem; background: var(--raised); color: var(--ink); font: inherit; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.0625rem; }
ul { margin: 0; padding: 0; list-style: none; }
li { border-top: 1px solid var(--line); padding: .625rem 0; font-weight: 600; }
li span { display: block; font-size: .875rem; font-weight: 400; color: var(--soft); }
section { margin-top: 1rem; }
section label, section + p { margin-top: 1.5rem; }
li .button { min-height: 2.5rem; margin-top: .5rem; padding: .25rem 1rem; }
`;

/** That of a page that asks one thing, and of its answer. */
export const QUESTION_PAGE_STYLE = `${BASE}${MESSAGE}${BUTTONS}
form { margin-top: 2rem; }
`;
