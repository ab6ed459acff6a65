import { type Html, html } from '../html.ts';
import type { Operation } from '../http/reference/openapi.ts';
import type { JsonSchema } from '../http/reference/openapi-schema.ts';
import { guideHref, headingsOf, withoutBackticks } from './guide.ts';
import { verb } from './layout.ts';
import { errorHref, operationHref, ROOT, type Site } from './site.ts';
import { resolved } from './type-words.ts';

/** One thing that can be found. */
interface Entry {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
  /** Set where it is an operation. */
  readonly method?: string;
  readonly about: string;
  /** What it is called, in lower case: a hit there counts most. */
  readonly names: readonly string[];
  /** The names of fields and parameters, in lower case. */
  readonly fields: readonly string[];
  /** All other words, in lower case. */
  readonly text: string;
}

/** Finds entries in which every word of the question is. Built once. */
export type Search = (query: string) => readonly Entry[];

const MOST = 40;

/** The index over operations, their fields, error codes and the guides' headings. */
export function createSearch(site: Site): Search {
  const entries = [...guides(site), ...operations(site), ...errors(site)];
  return (query) => {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => word.replace(/^\/v1(?=\/)/, ''));
    if (words.length === 0) return [];
    return entries
      .map((entry) => ({ entry, scores: words.map((word) => scoreOf(entry, word)) }))
      .filter(({ scores }) => !scores.includes(0))
      .map(({ entry, scores }) => ({ entry, score: scores.reduce((sum, score) => sum + score) }))
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ entry }) => entry);
  };
}

/** What was found, or all that there is to ask for. */
export function searchPage(query: string, found: readonly Entry[]): Html {
  const words = query.trim();
  const count = found.length === MOST ? `The first ${MOST}` : String(found.length);
  if (words === '')
    return html`<h1>Search</h1><p>Ask for an operation by its name or path, a field, an error code, or a word of the guides. All of them are on
<a href="${ROOT}#operations">the start page</a>.</p>`;
  if (found.length === 0)
    return html`<h1>Search</h1><p>Nothing was found for “${words}”. Try one word of it, a part of a path, or the name of a field.</p>`;
  return html`<h1>Search</h1>
<p class="note">${count} for “${words}”</p>
<ul class="operations results">${found.map(
    ({ href, title, kind, method, about }) =>
      html`<li><a href="${href}">${title}</a> <span class="where">${kind}</span>
<span class="line">${method !== undefined && verb(method)} ${method === undefined ? about : html`<code>${about}</code>`}</span></li>`,
  )}</ul>`;
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

function scoreOf({ names, fields, text }: Entry, word: string): number {
  if (names.includes(word)) return 10;
  if (names.some((name) => name.split(/[^a-z0-9]+/).includes(word))) return 7;
  if (fields.includes(word)) return 6;
  if (names.some((name) => name.split(/[^a-z0-9]+/).some((part) => part.startsWith(word)))) return 5;
  if (names.some((name) => name.includes(word))) return 4;
  if (fields.some((name) => name.includes(word))) return 2;
  return text.includes(word) ? 1 : 0;
}
