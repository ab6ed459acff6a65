import type { SearchEntry, SearchIndex } from '../../src/kit/docs/search.ts';
import { html } from '../../src/kit/html.ts';
import type { Operation } from '../../src/kit/http/reference/openapi.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import { guideHref, headingsOf, withoutBackticks } from './guide.ts';
import { layout, verb } from './layout.ts';
import { errorHref, operationHref, ROOT, type Site } from './site.ts';
import { resolved } from './type-words.ts';

/** One thing that can be found, and how it is shown. */
interface Entry extends Omit<SearchEntry, 'item'> {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
  /** Set where it is an operation. */
  readonly method?: string;
  readonly about: string;
}

/** The index over operations, their fields, error codes and the guides' headings, and the page of the search. */
export function searchIndex(site: Site): SearchIndex {
  const entries = [...guides(site), ...operations(site), ...errors(site)];
  const page = { title: 'Search', href: `${ROOT}/search`, width: 'prose', query: HOLE, main: HOLE } as const;
  const [head = '', middle = '', end = ''] = layout(site, page).split(HOLE);
  return {
    entries: entries.map((entry) => ({
      item: itemOf(entry),
      names: entry.names,
      fields: entry.fields,
      text: entry.text,
    })),
    frame: [head, middle, end],
  };
}

/** No text of a page has it. */
const HOLE = '\0';

function itemOf({ href, title, kind, method, about }: Entry): string {
  return html`<li><a href="${href}">${title}</a> <span class="where">${kind}</span>
<span class="line">${method !== undefined && verb(method)} ${method === undefined ? about : html`<code>${about}</code>`}</span></li>`
    .text;
}

function guides(site: Site): Entry[] {
  return site.guides.flatMap((guide) => {
    const page = { kind: 'Guide', fields: [], text: '' };
    const whole = {
      ...page,
      href: guideHref(guide),
      title: guide.title,
      about: withoutBackticks(guide.summary),
      names: [guide.title.toLowerCase()],
      text: guide.markdown.toLowerCase(),
    };
    const parts = headingsOf(guide).map(({ id, text }) => ({
      ...page,
      href: `${guideHref(guide)}#${id}`,
      title: text,
      about: guide.title,
      names: [text.toLowerCase()],
    }));
    return [whole, ...parts];
  });
}

function operations(site: Site): Entry[] {
  return site.operations.map(({ method, path, operation }) => ({
    href: operationHref(operation),
    title: operation.summary,
    kind: operation.tags.join(', '),
    method,
    about: path,
    names: [operation.operationId, path, method, operation.summary].map((name) => name.toLowerCase()),
    fields: fieldsOf(site, operation),
    text: `${operation.description ?? ''} ${operation.tags.join(' ')}`.toLowerCase(),
  }));
}

function errors(site: Site): Entry[] {
  return Object.entries(site.document['x-error-codes']).map(([code, { status, help }]) => ({
    href: errorHref(code),
    title: code,
    kind: `Error ${status}`,
    about: withoutBackticks(help),
    names: [code, code.replaceAll('_', ' '), String(status)],
    fields: [],
    text: help.toLowerCase(),
  }));
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
