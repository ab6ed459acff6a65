import type { SearchEntry, SearchIndex } from '../../src/kit/docs/search.ts';
import { type HtmlPart, html } from '../../src/kit/html.ts';
import type { Operation } from '../../src/kit/http/reference/openapi.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import { guideHref, headingsOf, withoutBackticks } from './guide.ts';
import { layout, verb } from './layout.ts';
import { errorHref, operationHref, ROOT, type Site } from './site.ts';
import { resolved } from './type-words.ts';

/** The index over operations, their fields, error codes and the guides' headings, and the page of the search. */
export function searchIndex(site: Site): SearchIndex {
  const page = { title: 'Search', href: `${ROOT}/search`, width: 'prose', query: HOLE, main: HOLE } as const;
  const [head = '', middle = '', end = ''] = layout(site, page).split(HOLE);
  return { entries: [...guides(site), ...operations(site), ...errors(site)], frame: [head, middle, end] };
}

/** No text of a page has it. */
const HOLE = '\0';

function guides(site: Site): SearchEntry[] {
  return site.guides.flatMap((guide) => {
    const whole = {
      item: itemOf(guideHref(guide), guide.title, 'Guide', withoutBackticks(guide.summary)),
      names: [guide.title.toLowerCase()],
      fields: [],
      text: guide.markdown.toLowerCase(),
    };
    const parts = headingsOf(guide).map(({ id, text }) => ({
      item: itemOf(`${guideHref(guide)}#${id}`, text, 'Guide', guide.title),
      names: [text.toLowerCase()],
      fields: [],
      text: '',
    }));
    return [whole, ...parts];
  });
}

function operations(site: Site): SearchEntry[] {
  return site.operations.map(({ method, path, operation }) => {
    const { operationId, summary, tags, description = '' } = operation;
    const about = html`${verb(method)} <code>${path}</code>`;
    return {
      item: itemOf(operationHref(operation), summary, tags.join(', '), about),
      names: [operationId, path, method, summary].map((name) => name.toLowerCase()),
      fields: fieldsOf(site, operation),
      text: `${description} ${tags.join(' ')}`.toLowerCase(),
    };
  });
}

function errors(site: Site): SearchEntry[] {
  return Object.entries(site.document['x-error-codes']).map(([code, { status, help }]) => ({
    item: itemOf(errorHref(code), code, `Error ${status}`, withoutBackticks(help)),
    names: [code, code.replaceAll('_', ' '), String(status)],
    fields: [],
    text: help.toLowerCase(),
  }));
}

function itemOf(href: string, title: string, kind: string, about: HtmlPart): string {
  return html`<li><a href="${href}">${title}</a> <span class="where">${kind}</span>
<span class="line">${about}</span></li>`.text;
}

function fieldsOf(site: Site, { parameters, requestBody, responses }: Operation): string[] {
  const names = new Set<string>();
  const seen = new Set<unknown>();
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const schema = value as JsonSchema;
    if (typeof schema.$ref === 'string') walk(resolved(schema, site.document.components.schemas));
    for (const name of Object.keys(schema.properties ?? {})) names.add(name.toLowerCase());
    for (const inner of Object.values(value)) walk(inner);
  };
  for (const parameter of parameters) if ('name' in parameter) names.add(parameter.name.toLowerCase());
  walk(requestBody);
  for (const [status, { content }] of Object.entries(responses)) if (Number(status) < 400) walk(content);
  return [...names];
}
