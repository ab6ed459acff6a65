/** How the web card's page lays out what it shows: on a phone, on a desktop, on paper. Colours are set elsewhere. */
export const WEB_CARD_LAYOUT = `
body { background-image: linear-gradient(color-mix(in srgb, var(--card) 9%, transparent), transparent 24rem);
  background-repeat: no-repeat; min-height: 100vh; }
main { padding-top: max(1.25rem, env(safe-area-inset-top)); }
[hidden] { display: none !important; }
.banner { margin-bottom: 1.25rem; padding: .875rem 1rem; border-radius: .75rem; font-size: .9375rem; background: var(--alert);
  color: var(--alert-ink); }
.banner strong { display: block; }
.status { display: flex; width: fit-content; max-width: 100%; gap: .5rem; align-items: center; margin: 1.125rem auto 0;
  padding: .25rem .75rem; border-radius: 1rem; color: var(--soft); font-size: .875rem; text-wrap: balance; }
.status::before { content: ""; flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--soft); }
.status.live::before { background: #16a34a; }
.status.offline { background: var(--note); color: var(--note-ink); }
.status.offline::before { background: none; border: 2px solid; }
.keep { margin-top: 1.25rem; padding: 1.125rem 1.125rem 1.25rem; border-radius: 1rem; background: var(--raised);
  border: 1px solid var(--line); }
.keep h2 { font-size: 1rem; font-weight: 600; }
.keep p { margin-top: .25rem; color: var(--soft); font-size: .9375rem; }
.keep p:empty { margin: 0; }
.keep .button { width: 100%; margin-top: .75rem; font-family: inherit; cursor: pointer; }
.about { margin-top: 1.75rem; }
.about h2 { font-size: 1.125rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
.about dl > div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.about dt { color: var(--soft); font-size: .875rem; }
.about dd { white-space: pre-line; }
.changed { border-radius: .25rem; outline: 2px solid currentColor; outline-offset: .25rem; }
.live-card .card-frame { animation: none; }
footer { padding-top: 1.5rem; padding-bottom: max(2rem, env(safe-area-inset-bottom)); color: var(--soft); font-size: .8125rem; }
footer p + p { margin-top: .5rem; }
@media (min-width: 56rem) {
  main { max-width: 58rem; padding-top: 3.5rem; display: grid; column-gap: 4.5rem; align-content: start;
    grid-template-columns: 23.5rem minmax(0, 1fr); grid-template-rows: auto auto auto 1fr; }
  #face { grid-row: 1 / -1; }
  main > * { grid-column: 2; }
  main > #face { grid-column: 1; }
  .status { margin: 0; padding-inline: 0; }
  .status.offline { padding-inline: .75rem; }
  .about { margin-top: 1.5rem; }
  .about dl > div { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 1.25rem; }
  .about dt { padding-top: .0625rem; }
  footer { max-width: 58rem; padding-top: 3rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .changed { animation: settle 3s ease-out both; }
  @keyframes settle { 0%, 50% { outline-color: currentColor; } 100% { outline-color: transparent; } }
}
@page { margin: 16mm; }
@media print {
  :root { --paper: #ffffff; --raised: #ffffff; --ink: #000000; --soft: #404040; --line: #bdbdbd; --alert: #ffffff;
    --alert-ink: #000000; }
  body { background: none; min-height: 0; font-size: 11pt; }
  main { display: block; max-width: none; padding: 0; }
  .status, .keep, footer, noscript { display: none; }
  .banner { border: 1px solid; }
  main .card-frame { width: 100mm; max-width: 100%; filter: none; animation: none; break-inside: avoid; }
  main .card { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main .code.qr svg, main .code.aztec svg { width: 50mm; }
  main .code.code128 svg { height: 22mm; }
  .changed { outline: none; animation: none; }
  .about { max-width: 150mm; break-inside: avoid; }
}
`;
