/**
 * The look of the reference page: one column on a phone, contents at the side from 60 rem, examples beside
 * from 84.
 */
export const REFERENCE_STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9; --raised: #f4f2ed; --ink: #1e1c19; --soft: #625c53; --line: #e3dfd7;
  --accent: #0a6656; --accent-wash: #e4f1ed; --warn: #a1350f;
  --panel: #1c2024; --panel-head: #272c32; --panel-ink: #e9e6e0; --panel-soft: #a9b1b8;
  --key: #8fd3c1; --string: #f0c987; --number: #b9b4f5;
  --get: #0b5cad; --post: #1a6b2d; --patch: #8a5200; --put: #6a3fb5; --delete: #b3261e;
  --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --raised: #1d2125; --ink: #ebe8e2; --soft: #a8a59d; --line: #31363b;
    --accent: #6fcdb6; --accent-wash: #18332d; --warn: #f2a07f;
    --panel: #0d0f11; --panel-head: #1d2125;
    --get: #85b9f5; --post: #83cf95; --patch: #e5b565; --put: #c4a7f7; --delete: #f59a93;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
:target { outline: none; }
h1, h2, h3, h4, p, ul, dl, figure { margin: 0; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
p { text-wrap: pretty; }
code, pre { font-family: var(--mono); font-size: .875em; }
p code, .text > ul:not(.answers) code, td code, dd code { background: var(--raised); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 3; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { top: 1rem; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; justify-content: space-between; align-items: center;
  gap: 1rem; padding: .75rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.bar a { color: var(--ink); font-weight: 650; text-decoration: none; }
.bar .menu { font-weight: 500; border: 1px solid var(--line); border-radius: 6px; padding: .3rem .8rem; }

nav { display: none; background: var(--paper); padding: 1.25rem; }
nav:target { display: block; position: fixed; inset: 0; z-index: 3; overflow-y: auto; overscroll-behavior: contain; }
nav h2 { font-size: .8125rem; letter-spacing: 0; font-weight: 650; margin: 1.75rem 0 .35rem; }
nav h2 a { color: var(--ink); text-decoration: none; }
nav ul { list-style: none; padding: 0; }
nav li a { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; padding: .3rem .6rem;
  margin: 0 -.6rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .875rem; line-height: 1.4; }
nav a:hover { color: var(--accent); }
nav li a:hover { background: var(--accent-wash); color: var(--accent); }
nav .plain { margin-top: 1rem; } nav h2 + .plain { margin-top: 0; }
nav li a:target-current { background: var(--accent-wash); color: var(--accent); }
.nav-head { display: flex; align-items: baseline; gap: .5rem; }
.brand { color: var(--ink); font-weight: 700; font-size: 1.0625rem; text-decoration: none; letter-spacing: -.01em; }
.version { color: var(--soft); font-size: .8125rem; }
.close { margin-left: auto; }

.verb { font: 650 .6875rem/1.4 var(--mono); letter-spacing: .02em; color: var(--soft); }
.verb.get { color: var(--get); } .verb.post { color: var(--post); } .verb.patch { color: var(--patch); }
.verb.put { color: var(--put); } .verb.delete { color: var(--delete); }

main { padding: 2rem 1.25rem 4rem; min-width: 0; }
.intro h1 { font-size: clamp(2rem, 1.4rem + 2.6vw, 3rem); font-weight: 700; letter-spacing: -.03em; }
.lead { margin: 1rem 0 2.25rem; max-width: 42rem; }
.lead > p:first-child { font-size: 1.1875rem; line-height: 1.55; }
.lead > * + * { margin-top: .9rem; }
.facts { border-top: 1px solid var(--line); max-width: 54rem; }
.facts div { padding: .8rem 0; border-bottom: 1px solid var(--line); display: grid; gap: .15rem; }
.facts dt { font-weight: 600; } .facts dd { margin: 0; }
.tag { margin-top: 5rem; }
.tag-head { border-top: 3px solid var(--ink); padding-top: 1rem; }
.tag-head h2 { font-size: 1.75rem; font-weight: 700; }
.tag-head p { margin-top: .5rem; color: var(--soft); max-width: 42rem; }

.op, .object { padding: 2.5rem 0; border-bottom: 1px solid var(--line); }
.op h3, .object h3 { font-size: 1.3125rem; font-weight: 650; }
.op h3 a, .object h3 a { color: inherit; text-decoration: none; }
.op h3 a:hover::after, .object h3 a:hover::after { content: " #"; color: var(--soft); }
:target > .text > h3, .object:target > h3 { text-decoration: underline; text-decoration-color: var(--accent); text-underline-offset: .3em; }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .7rem; margin: .6rem 0 1rem; }
.line .verb { font-size: .8125rem; }
.line code { font-size: .9375rem; background: none; padding: 0; overflow-wrap: anywhere; }
.hole { color: var(--accent); }
.access { color: var(--soft); font-size: .875rem; }
.text > p, .object > p { max-width: 42rem; }
.text > p + p { margin-top: .7rem; }
.text > ul:not(.answers) { padding-left: 1.25rem; max-width: 42rem; margin-top: .5rem; }

.table { margin-top: 1.75rem; }
.intro .table { max-width: 54rem; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.5; }
caption, h4 { text-align: left; font-size: .9375rem; font-weight: 650; padding-bottom: .45rem; }
h4 { margin-top: 1.75rem; }
thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
tbody { border-top: 1px solid var(--line); }
tr { display: grid; grid-template-columns: minmax(0, auto) minmax(0, 1fr); gap: 0 .75rem; padding: .6rem 0;
  border-bottom: 1px solid var(--line); }
tbody tr:last-child { border-bottom: 0; }
tbody th { text-align: left; font-weight: 500; min-width: 0; }
tbody th code { overflow-wrap: anywhere; }
td { min-width: 0; color: var(--soft); }
td:nth-child(3) { grid-column: 1 / -1; color: var(--ink); }
td:empty { display: none; }
tr.form { display: block; padding: .9rem 0 .4rem; }
tr.form th { color: var(--soft); font-size: .875rem; }
tr.form code { color: var(--ink); background: var(--raised); border-radius: 4px; padding: .1em .35em; }
tr:target { background: var(--accent-wash); }
.outer { color: var(--soft); }
.required { color: var(--warn); font-size: .8125rem; font-weight: 500; }
.bounds { color: var(--soft); display: block; font-size: .875rem; }
.where, .note { color: var(--soft); }
.where { font-size: .875rem; }
.note { margin-top: .75rem; font-size: .9375rem; line-height: 1.8; }
h4 + .note { margin-top: 0; }
.note code, th a code { font-size: .8125rem; }

.answers { list-style: none; padding: 0; border-top: 1px solid var(--line); font-size: .9375rem; }
.answers > li { border-bottom: 1px solid var(--line); padding: .55rem 0; }
.answers > li:last-child { border-bottom: 0; }
.answers .table { margin: .6rem 0 .4rem; padding-left: 1rem; border-left: 2px solid var(--line); }
.answers caption, .object caption { position: absolute; clip-path: inset(50%); }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary::marker { color: var(--soft); }
.status { font: 650 .875rem var(--mono); color: var(--post); }

.example { margin-top: 1.75rem; border-radius: 8px; background: var(--panel); color: var(--panel-ink); overflow: hidden; min-width: 0; }
.example figcaption { display: flex; justify-content: space-between; gap: 1rem; padding: .55rem 1rem; background: var(--panel-head); font-size: .8125rem; color: var(--panel-soft); }
pre { margin: 0; padding: 1rem; overflow-x: auto; font-size: .8125rem; line-height: 1.65; tab-size: 2; }
pre code { font-size: inherit; }
pre:focus-visible { outline-color: var(--key); outline-offset: -3px; }
.k { color: var(--key); } .s { color: var(--string); } .n { color: var(--number); }
footer { border-top: 1px solid var(--line); padding: 1.5rem 1.25rem; color: var(--soft); font-size: .875rem; }

@media (min-width: 40rem) {
  tr { display: table-row; } tr.form { display: table-row; }
  th, td { padding: .6rem 1rem .6rem 0; vertical-align: top; }
  tr.form th { padding: 1rem 0 .4rem; }
  tbody th { width: 34%; } td:nth-child(2) { width: 22%; }
  .codes td:nth-child(2) { width: 5rem; }
  td:empty { display: table-cell; }
  tr { border-bottom: 1px solid var(--line); }
  .required, .text table .where { display: block; }
  .facts div { grid-template-columns: 10rem minmax(0, 1fr); }
}
@media (min-width: 60rem) {
  html { scroll-padding-top: 1.5rem; }
  .bar, .close { display: none; }
  .frame { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav, nav:target { display: block; position: sticky; inset: auto; top: 0; z-index: auto; height: 100vh; overflow-y: auto;
    scroll-target-group: auto; padding: 2rem 1.5rem 3rem; border-right: 1px solid var(--line); scrollbar-width: thin; }
  main { padding: 3.5rem clamp(2rem, 4vw, 4.5rem) 6rem; max-width: 62rem; }
  footer { margin-left: 18rem; padding-inline: clamp(2rem, 4vw, 4.5rem); }
}
@media (min-width: 84rem) {
  main { max-width: 92rem; }
  .object, .tag > .table { max-width: 62rem; }
  .op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 29rem); gap: 0 clamp(2rem, 4vw, 4.5rem); }
  .example { margin-top: 0; position: sticky; top: 1.5rem; align-self: start; }
  pre { max-height: calc(100vh - 6rem); overflow-y: auto; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { nav, .bar, .skip { display: none; } .frame { display: block; } .op { break-inside: avoid; } }
`;
