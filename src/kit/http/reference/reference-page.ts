import { Html, html } from '../../html.ts';
import type { OpenApiDocument, Parameter } from './openapi.ts';
import { codesOf, credential, type Listed, operationSection, verb } from './reference-operation.ts';
import { meaning, schemaTable, typeName } from './reference-schema.ts';
import { REFERENCE_STYLE } from './reference-style.ts';
import { row, table } from './reference-table.ts';
import { inline, prose, slug } from './reference-text.ts';

/**
 * The API reference as one HTML page: no script, no request to anywhere, readable on a phone, in light and
 * dark. Everything on it comes from the document.
 */
export function referencePage(document: OpenApiDocument): string {
  const { info, tags } = document;
  const operations = listed(document);
  const common = commonCodes(operations);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
<style>${new Html(REFERENCE_STYLE)}</style>
</head>
<body id="top">
<a class="skip" href="#content">Skip to content</a>
<header class="bar"><a href="#top">${info.title}</a><a class="menu" href="#contents">Contents</a></header>
<div class="frame">
${contents(document, operations)}
<main id="content">
${introduction(document)}
${tags.map(
  (tag) => html`<section class="tag" aria-labelledby="tag-${slug(tag.name)}">
<header class="tag-head"><h2 id="tag-${slug(tag.name)}">${tag.name}</h2>${prose(tag.description ?? '')}</header>
${operations
  .filter(({ operation }) => operation.tags.includes(tag.name))
  .map((entry) => operationSection(document, entry, common))}
</section>`,
)}
${objects(document)}
${errorCodes(document, common)}
</main>
</div>
<footer><p>${info.title} ${info.version}</p></footer>
</body>
</html>
`;
  return page.text;
}

function listed({ paths }: OpenApiDocument): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** The codes that most operations share: explained once, at the end, and only named at the operation. */
function commonCodes(operations: readonly Listed[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { operation } of operations) {
    for (const { code } of codesOf(operation)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const most = Math.max(2, operations.length / 2);
  return new Set([...counts].filter(([, count]) => count >= most).map(([code]) => code));
}

function contents({ tags, info }: OpenApiDocument, operations: readonly Listed[]): Html {
  return html`<nav id="contents" aria-label="Contents">
<div class="nav-head"><a class="brand" href="#top">${info.title}</a> <span class="version">${info.version}</span>
<a class="close" href="#content">Close</a></div>
<ul class="plain"><li><a href="#introduction">Introduction</a></li></ul>
${tags.map(
  (tag) => html`<h2><a href="#tag-${slug(tag.name)}">${tag.name}</a></h2>
<ul>${operations
    .filter(({ operation }) => operation.tags.includes(tag.name))
    .map(
      ({
        method,
        operation,
      }) => html`<li><a href="#${operation.operationId}"><span>${operation.summary}</span>
${verb(method)}</a></li>`,
    )}</ul>`,
)}
<h2>More</h2>
<ul class="plain"><li><a href="#objects">Objects</a></li><li><a href="#errors">Error codes</a></li></ul>
</nav>`;
}

function introduction({ info, servers, components }: OpenApiDocument): Html {
  const schemes = Object.entries(components.securitySchemes) as [string, { description?: string }][];
  return html`<section id="introduction" class="intro" aria-labelledby="title">
<h1 id="title">${info.title}</h1>
<div class="lead">${prose(info.description)}</div>
<dl class="facts">
<div><dt>Base URL</dt><dd>${servers.map(({ url }) => html`<code>${url}</code>`)}</dd></div>
${schemes.map(
  ([name, { description = '' }]) =>
    html`<div><dt>${credential(name)}</dt><dd>${inline(description)}</dd></div>`,
)}
<div><dt>Errors</dt><dd>Every answer that is not a success has the same <a href="#schema-Error">body</a>. Branch on its
<a href="#errors">code</a>.</dd></div>
</dl>
${headerTable('Request headers', Object.values(components.parameters))}
${headerTable(
  'Answer headers',
  Object.entries(components.headers).map(([name, header]) => ({ name, ...header })),
)}
</section>`;
}

function headerTable(
  title: string,
  headers: readonly Pick<Parameter, 'name' | 'description' | 'schema'>[],
): Html {
  const rows = headers.map(({ name, description = '', schema }) =>
    row(html`<code>${name}</code>`, typeName(schema), meaning({ ...schema, description })),
  );
  return table(title, ['Header', 'Type', 'Meaning'], rows);
}

function objects({ components }: OpenApiDocument): Html {
  return html`<section class="tag" aria-labelledby="objects">
<header class="tag-head"><h2 id="objects">Objects</h2><p>What answers hold, by name.</p></header>
${Object.entries(components.schemas).map(([name, schema]) => {
  const { description = '', ...undescribed } = schema;
  return html`<article class="object" id="schema-${name}" aria-labelledby="schema-${name}-title">
<h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>
${prose(description)}
${
  schemaTable(schema, components.schemas, 'answer', `Properties of ${name}`) ??
  html`<p>${typeName(schema)} ${meaning(undescribed)}</p>`
}
</article>`;
})}
</section>`;
}

function errorCodes(document: OpenApiDocument, common: ReadonlySet<string>): Html {
  const rows = Object.entries(document['x-error-codes']).map(([code, { status, help }]) => ({
    everywhere: common.has(code),
    line: row(html`<code>${code}</code>`, status, inline(help), `error-${code}`),
  }));
  const heads = ['Code', 'Status', 'What to do'] as const;
  const lines = (everywhere: boolean) =>
    rows.filter((one) => one.everywhere === everywhere).map(({ line }) => line);
  return html`<section class="tag" aria-labelledby="errors">
<header class="tag-head"><h2 id="errors">Error codes</h2>
<p>The message may change; the code never changes its meaning.</p></header>
${table('Of nearly every operation', heads, lines(true))}
${table('Of particular operations', heads, lines(false))}
</section>`;
}
