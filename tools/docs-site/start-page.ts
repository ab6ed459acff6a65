import { type Html, html } from '../../src/kit/html.ts';
import type { Parameter } from '../../src/kit/http/reference/openapi.ts';
import { fieldLine } from './field-list.ts';
import { guideHref } from './guide.ts';
import { pathParts, verb } from './layout.ts';
import { credential } from './operation-page.ts';
import { inline, prose } from './prose.ts';
import { groupHref, operationHref, operationsOf, ROOT, type Site } from './site.ts';

/** Where to begin, what holds in every call, and all operations. */
export function startPage(site: Site): Html {
  const { info, servers, components } = site.document;
  const schemes = Object.entries(components.securitySchemes) as [string, { description?: string }][];
  return html`<h1>${info.title}</h1>
<div class="lead">${prose(info.description, site)}</div>
<section aria-labelledby="guides"><h2 id="guides">Guides</h2>
<ul class="tiles">${site.guides.map(
    (guide) => html`<li><a href="${guideHref(guide)}">${guide.title}</a>
<p>${inline(guide.summary, site)}</p></li>`,
  )}</ul></section>
<section aria-labelledby="introduction"><h2 id="introduction">In every call</h2>
<dl class="facts">
<div><dt>Base URL</dt><dd>${servers.map(({ url }) => html`<code>${url}</code>`)}</dd></div>
${schemes.map(
  ([name, { description = '' }]) =>
    html`<div><dt>${credential(name)}</dt><dd>${inline(description, site)}</dd></div>`,
)}
<div><dt>Errors</dt><dd>Every answer that is not a success has the same <a href="${ROOT}/errors#body">body</a>. Branch on its
<a href="${ROOT}/errors">code</a>.</dd></div>
<div><dt>For tools</dt><dd><a href="/openapi.json">openapi.json</a>, the same as OpenAPI ${site.document.openapi}</dd></div>
</dl>
<details><summary>Headers of requests</summary>${headers(site, Object.values(components.parameters))}</details>
<details><summary>Headers of answers</summary>${headers(
    site,
    Object.entries(components.headers).map(([name, header]) => ({ name, ...header })),
  )}</details></section>
<section aria-labelledby="operations"><h2 id="operations">Operations</h2>
${site.document.tags.map(
  ({ name }) => html`<h3><a href="${groupHref(name)}">${name}</a></h3>
${operationList(site, name, true)}`,
)}</section>`;
}

/** What stands under one heading of the API. */
export function groupPage(site: Site, tag: { readonly name: string; readonly description?: string }): Html {
  return html`<h1>${tag.name}</h1>
<div class="lead">${prose(tag.description ?? '', site)}</div>
${operationList(site, tag.name, false)}`;
}

/** Operations with their paths; on the start page by the anchors that they had when all of it was one page. */
function operationList(site: Site, tag: string, hasAnchors: boolean): Html {
  return html`<ul class="operations">${operationsOf(site, tag).map(
    ({ method, path, operation }) =>
      html`<li${hasAnchors && html` id="${operation.operationId}"`}><a href="${operationHref(operation)}">${operation.summary}</a>
<span class="line">${verb(method)} <code>${pathParts(path)}</code></span></li>`,
  )}</ul>`;
}

function headers(site: Site, list: readonly Pick<Parameter, 'name' | 'description' | 'schema'>[]): Html {
  return html`<ul class="fields">${list.map(({ name, description, schema }) =>
    fieldLine(
      {
        name,
        schema: description === undefined ? schema : { ...schema, description },
        isRequired: true,
      },
      'answer',
      site,
    ),
  )}</ul>`;
}
