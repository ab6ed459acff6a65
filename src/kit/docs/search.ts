import { escapeHtml, Html, html } from '../html.ts';

/** One thing that can be found. */
export interface SearchEntry {
  /** An item of a list, as HTML. */
  readonly item: string;
  /** What it is called, in lower case: a hit there counts most. */
  readonly names: readonly string[];
  /** The names of fields and parameters, in lower case. */
  readonly fields: readonly string[];
  /** All other words, in lower case. */
  readonly text: string;
}

/** What is searched, and the page that shows what was found. */
export interface SearchIndex {
  readonly entries: readonly SearchEntry[];
  /** The page as HTML: up to the text of the search field, from there to what was found, and the rest. */
  readonly frame: readonly [string, string, string];
}

const MOST = 40;

/** The page with what was found for a question, or with what there is to ask for. */
export function searchPage({ entries, frame: [head, middle, end] }: SearchIndex, query: string): string {
  const main = results(query.trim(), find(entries, query));
  return `${head}${escapeHtml(query)}${middle}${main.text}${end}`;
}

function results(words: string, found: readonly SearchEntry[]): Html {
  const count = found.length === MOST ? `The first ${MOST}` : String(found.length);
  if (words === '')
    return html`<h1>Search</h1><p>Ask for an operation by its name or path, a field, an error code, or a word of the guides. All of them are on
<a href="/docs#operations">the start page</a>.</p>`;
  if (found.length === 0)
    return html`<h1>Search</h1><p>Nothing was found for “${words}”. Try one word of it, a part of a path, or the name of a field.</p>`;
  return html`<h1>Search</h1>
<p class="note">${count} for “${words}”</p>
<ul class="operations results">${found.map(({ item }) => new Html(item))}</ul>`;
}

/** Entries in which every word of the question is, the best first. */
function find(entries: readonly SearchEntry[], query: string): SearchEntry[] {
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
}

function scoreOf({ names, fields, text }: SearchEntry, word: string): number {
  if (names.includes(word)) return 10;
  if (names.some((name) => name.split(/[^a-z0-9]+/).includes(word))) return 7;
  if (fields.includes(word)) return 6;
  if (names.some((name) => name.split(/[^a-z0-9]+/).some((part) => part.startsWith(word)))) return 5;
  if (names.some((name) => name.includes(word))) return 4;
  if (fields.some((name) => name.includes(word))) return 2;
  return text.includes(word) ? 1 : 0;
}
