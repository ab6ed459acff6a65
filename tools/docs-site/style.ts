/** The look of the pages: one column on a phone, contents at the side from 60 rem, examples alongside from 84. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9; --raised: #f4f2ed; --ink: #1e1c19; --soft: #625c53; --line: #e3dfd7;
  --accent: #1d4ed8; --accent-wash: #e8edfb; --warn: #a1350f;
  --panel: #1c2024; --panel-head: #272c32; --panel-ink: #e9e6e0; --panel-soft: #a9b1b8;
  --key: #8fd3c1; --string: #f0c987; --number: #b9b4f5;
  --get: #0b5cad; --post: #1a6b2d; --patch: #8a5200; --put: #6a3fb5; --delete: #b3261e;
  --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --raised: #1d2125; --ink: #ebe8e2; --soft: #a8a59d; --line: #31363b;
    --accent: #9ec1ff; --accent-wash: #1f2b42; --warn: #f2a07f;
    --panel: #0d0f11; --panel-head: #1d2125;
    --get: #85b9f5; --post: #83cf95; --patch: #e5b565; --put: #c4a7f7; --delete: #f59a93;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: .06em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3, p, ul, ol, dl, dd, pre, fieldset { margin: 0; padding: 0; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
p, li { text-wrap: pretty; overflow-wrap: break-word; }
code, pre { font-family: var(--mono); font-size: .875em; }
code { overflow-wrap: anywhere; }
a:has(> code) { text-underline-offset: .4em; }
summary { cursor: pointer; }
summary::marker { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 5; background: var(--paper); padding: .5rem 1rem; }
.skip:focus { top: 1rem; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; gap: .75rem; padding: .625rem 1.25rem;
  background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { color: var(--ink); font-weight: 700; font-size: 1.0625rem; text-decoration: none; letter-spacing: -.01em; padding: .25rem 0; }
.brand span { color: var(--soft); font-weight: 400; }
.bar form { display: flex; flex: 1; min-width: 0; gap: .5rem; justify-content: flex-end; }
.bar input { flex: 1; min-width: 0; max-width: 24rem; font: inherit; font-size: .9375rem; color: inherit; background: var(--raised);
  border: 1px solid var(--line); border-radius: 6px; padding: .3rem .7rem; }
.bar input::placeholder { color: var(--soft); opacity: 1; }
.bar button, .menu { font: inherit; font-size: .9375rem; font-weight: 500; color: var(--ink); background: none; text-decoration: none;
  border: 1px solid var(--line); border-radius: 6px; padding: .3rem .8rem; cursor: pointer; }
.bar button { display: none; }

nav { display: none; background: var(--paper); padding: 1.25rem; }
nav:target { display: block; position: fixed; inset: 0; z-index: 4; overflow-y: auto; overscroll-behavior: contain; }
nav .title { font-size: .8125rem; letter-spacing: 0; font-weight: 650; margin: 1.5rem 0 .35rem; }
nav ul { list-style: none; }
nav li a { display: flex; justify-content: space-between; align-items: baseline; gap: .75rem; padding: .3rem .6rem;
  margin: 0 -.6rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .9375rem; line-height: 1.4; }
nav li a:hover, nav [aria-current] { background: var(--accent-wash); color: var(--accent); }
nav [aria-current] { font-weight: 550; }
.inner { margin: .1rem 0 .6rem .1rem; padding-left: 1rem; border-left: 1px solid var(--line); }
.inner a { font-size: .875rem; }
.close { float: right; padding: .2rem 0; }

.verb { font: 650 .6875rem/1.4 var(--mono); letter-spacing: .02em; color: var(--soft); }
.verb.get { color: var(--get); } .verb.post { color: var(--post); } .verb.patch { color: var(--patch); }
.verb.put { color: var(--put); } .verb.delete { color: var(--delete); }

main { padding: 2rem 1.25rem 5rem; min-width: 0; }
h1 { font-size: clamp(1.75rem, 1.45rem + 1.6vw, 2.5rem); font-weight: 700; letter-spacing: -.03em; }
h2 { font-size: 1.3125rem; font-weight: 650; margin-top: 3rem; padding-bottom: .5rem; }
h3 { font-size: 1.0625rem; font-weight: 650; margin-top: 2rem; padding-bottom: .25rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
main p, main > ul, main > ol, .lead ul { max-width: 44rem; }
main > p, .head > p, .lead p { margin-top: .9rem; }
main > ul:not([class]), main > ol, .lead ul, .head ul { padding-left: 1.4rem; margin-top: .7rem; }
main > ol > li, main > ul:not([class]) > li { margin-top: .5rem; }
main > ol pre { margin-top: .6rem; }
p code, main > ul:not([class]) code, main > ol code, dd code, td code { background: var(--raised); border-radius: 4px; padding: .1em .35em; }
ol pre code, li pre code { background: none; padding: 0; }
.lead > p:first-child { font-size: 1.125rem; line-height: 1.55; }
.note, .where { color: var(--soft); }
.note { font-size: .9375rem; line-height: 1.8; margin-top: .75rem; }
.where { font-size: .875rem; font-weight: 400; letter-spacing: 0; }
main > blockquote { margin: 1rem 0 0; max-width: 44rem; border-left: 3px solid var(--accent); padding: .1rem 0 .1rem 1rem; }

.tiles { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0 2.5rem; }
.tiles li { border-top: 1px solid var(--line); padding: .9rem 0 1.1rem; }
.tiles a { font-weight: 600; }
.tiles p { margin-top: .2rem; color: var(--soft); font-size: .9375rem; }
.facts { border-top: 1px solid var(--line); max-width: 54rem; margin-bottom: 1rem; }
.facts div { padding: .7rem 0; border-bottom: 1px solid var(--line); display: grid; gap: .15rem; }
.facts dt { font-weight: 600; }
* + .operations { margin-top: .9rem; }
h3 + .operations { margin-top: 0; }
.operations { list-style: none; max-width: 54rem; }
.operations li { border-bottom: 1px solid var(--line); padding: .6rem 0; }
.operations li:target { background: var(--accent-wash); }
.operations a { font-weight: 550; }
.operations .line { margin: .1rem 0 0; font-size: .9375rem; color: var(--soft); }
.line { display: flex; align-items: baseline; gap: .3rem .6rem; }
.head .line { flex-wrap: wrap; }
.head .line .verb { font-size: .8125rem; }
.head .line code { font-size: .9375rem; background: none; padding: 0; }
.hole { color: var(--accent); }
.access { color: var(--soft); font-size: .875rem; }
.crumb { font-size: .875rem; margin-bottom: .4rem; }
main .crumb { margin-top: 0; }

.fields { list-style: none; border-top: 1px solid var(--line); }
pre + .fields { margin-top: 1.25rem; }
.fields > li { border-bottom: 1px solid var(--line); padding: .6rem 0; }
.field > code:first-child, .field > a:first-child code { font-weight: 600; font-size: .9375rem; }
p.field code { background: none; padding: 0; }
.type { color: var(--soft); font-size: .9rem; margin-left: .3rem; }
p.type { margin-left: 0; }
p .type code { color: var(--ink); font-size: .8125rem; background: var(--raised); padding: .05em .35em; overflow-wrap: anywhere; }
.required { color: var(--warn); font-size: .8125rem; font-weight: 550; }
.meaning { margin-top: .15rem; font-size: .9375rem; }
.fields details { margin-top: .35rem; font-size: .9375rem; }
.fields summary, .form > summary { color: var(--accent); font-size: .875rem; padding: .15rem 0; }
.fields .fields, .answer .fields, .form .fields { margin: .35rem 0 .3rem .2rem; padding-left: 1rem; border-top: 0; border-left: 2px solid var(--line); }
.fields .fields > li:last-child, .answer .fields > li:last-child, .form .fields > li:last-child { border-bottom: 0; }
.form { padding: .5rem 0; font-size: .9375rem; border-bottom: 1px solid var(--line); }
p.form, .form summary { color: var(--soft); }
.form summary code, p.form code { color: var(--ink); }
.answer { border-top: 1px solid var(--line); padding: .6rem 0; }
.answer:last-child { border-bottom: 1px solid var(--line); }
.answer > p { margin-top: .4rem; font-size: .9375rem; }
.status { font: 650 .875rem var(--mono); color: var(--post); }
.status.bad { color: var(--warn); }

pre { padding: 1rem; overflow-x: auto; font-size: .8125rem; line-height: 1.65; tab-size: 2; background: var(--panel); color: var(--panel-ink);
  border-radius: 8px; }
pre code { font-size: inherit; overflow-wrap: normal; }
pre:focus-visible { outline-color: var(--key); outline-offset: -3px; }
main > pre, section > pre { margin-top: 1rem; max-width: 48rem; }
.k { color: var(--key); } .s { color: var(--string); } .n { color: var(--number); } .c { color: var(--panel-soft); }
.example { margin-top: 1.75rem; border-radius: 8px; background: var(--panel); overflow: hidden; min-width: 0; }
.example fieldset { border: 0; display: flex; background: var(--panel-head); padding: 0 .5rem; min-width: 0; }
.example label { position: relative; padding: .55rem .7rem .45rem; border-bottom: 2px solid transparent; color: var(--panel-soft); font-size: .8125rem; cursor: pointer; }
.example input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.example label:has(:checked) { color: var(--panel-ink); border-color: var(--key); }
.example label:has(:focus-visible) { outline: 2px solid var(--key); outline-offset: -2px; }
.example pre { display: none; border-radius: 0; margin: 0; max-width: none; }
.example:has([value="curl"]:checked) [data-language="curl"],
.example:has([value="TypeScript"]:checked) [data-language="TypeScript"],
.example:has([value="Python"]:checked) [data-language="Python"] { display: block; }
.operation > .text > section > h2 { font-size: 1.125rem; margin-top: 2.25rem; }

.error { padding: 1.1rem 0 1.2rem; border-bottom: 1px solid var(--line); max-width: 54rem; }
.error h3 { margin: 0; }
.error h3 code { font-size: 1rem; }
.error:target { background: var(--accent-wash); box-shadow: 0 0 0 .6rem var(--accent-wash); border-radius: 2px; }
.error p { margin-top: .2rem; }
.error dl { margin-top: .4rem; font-size: .9375rem; color: var(--soft); }
.error dl div { display: grid; gap: 0 1rem; }
.error dt { font-weight: 550; }
.table { overflow-x: auto; margin-top: 1rem; max-width: 54rem; }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; line-height: 1.5; }
th { text-align: left; font-weight: 600; font-size: .875rem; }
th, td { padding: .55rem 1.25rem .55rem 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 8rem; }

@media (min-width: 40rem) {
  .bar button { display: block; }
  .facts div { grid-template-columns: 10rem minmax(0, 1fr); }
  .error dl div { grid-template-columns: 7.5rem minmax(0, 1fr); }
}
@media (min-width: 60rem) {
  .menu, .close { display: none; }
  .bar { padding-inline: 1.5rem; }
  .operations li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); gap: 0 1.5rem; }
  .operations .line { margin: 0; }
  .results li { display: block; }
  .frame { display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
  nav, nav:target { display: block; position: sticky; inset: auto; top: 3.55rem; z-index: 1; height: calc(100vh - 3.55rem);
    overflow-y: auto; padding: .5rem 1.5rem 3rem; border-right: 1px solid var(--line); scrollbar-width: thin; }
  main { padding: 3rem clamp(2rem, 4vw, 4.5rem) 6rem; max-width: 66rem; }
}
@media (min-width: 84rem) {
  main.wide { max-width: 100rem; }
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 31rem); gap: 0 clamp(2rem, 4vw, 4.5rem);
    grid-template-rows: auto 1fr; }
  .example { grid-column: 2; grid-row: 1 / 3; margin-top: 0; position: sticky; top: 5rem; align-self: start; }
  .example pre { max-height: calc(100vh - 9rem); overflow-y: auto; }
}
@media print { nav, .bar, .skip { display: none; } .frame { display: block; } }
`;
