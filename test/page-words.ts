import assert from 'node:assert/strict';
import { directionOf } from '../src/kit/text/language.ts';
import { languages } from '../src/locales/languages.ts';

/** What a page or a mail says that is no text of its language, and none of the words that no language has. */
export function assertWhole(what: string, html: string, language: string, own: readonly string[]): void {
  const [tag = ''] = /<html[^>]*>/.exec(html) ?? [];
  assert.match(tag, new RegExp(`lang="${language}"`), `${what}: ${html.slice(0, 200)}`);
  assert.equal(tag.includes('dir="rtl"'), directionOf(language) === 'rtl', what);
  const texts = readable(html);
  assert.ok(texts.length > 2, `${what} says nothing`);
  assert.deepEqual(
    texts.filter((text) => rest(text, language, own) !== ''),
    [],
    `${what} says something else`,
  );
}

/** The same of a text without markup, such as the subject of a mail. */
export function assertWholeText(what: string, text: string, language: string, own: readonly string[]): void {
  assert.equal(rest(text, language, own), '', `${what} says something else: ${text}`);
}

/** A text without the sentences of a language and without what is the same in all; words of two letters and more. */
function rest(text: string, language: string, own: readonly string[]): string {
  let left = withoutNames(text, own);
  for (const sentence of sentencesOf(language)) left = left.replace(sentence, ' ');
  return left.match(/\p{L}[\p{L}\p{M}]+/gu)?.join(' ') ?? '';
}

/** Replaces a name that is filled in. */
const NAME = '\uE000';

/** Product names, addresses, ids, paths, codes and numbers: the same in every language. */
const SAME =
  /\{\w+\}|https?:\/\/[\w.:/?=&%-]*[\w/]|punchcard console-link|punchcard|\b(?:req|hook|pass)_[\w-]+|(?:get|patch|post) \/[\w{}/]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|[\d.:]*\d/giu;

function withoutNames(text: string, own: readonly string[]): string {
  let left = text
    .replace(/\b[0-9A-Z]{16}\b/g, NAME)
    .replace(SAME, NAME)
    .toLowerCase();
  for (const word of own) left = left.replaceAll(word.toLowerCase(), NAME);
  return left;
}

const known = new Map<string, RegExp[]>();

/** The sentences of a language, with what is filled in; each stands alone. */
function sentencesOf(language: string): RegExp[] {
  const words = languages[language] ?? assert.fail(language);
  const made =
    known.get(language) ??
    [...new Set(textsOf(words))]
      .map((text) => withoutNames(text, []))
      .sort((one, other) => other.length - one.length)
      .map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
      .map((text) => new RegExp(`(?<![\\p{L}\\p{M}])${text}(?![\\p{L}\\p{M}])`, 'gu'));
  known.set(language, made);
  return made;
}

function textsOf(words: object): string[] {
  return Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)));
}

/** What a person reads or hears of a page: its texts, and the attributes that hold one. */
function readable(html: string): string[] {
  const body = html.replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>|<time[\s\S]*?<\/time>/g, '');
  // A name stands within a sentence.
  const joined = body.replace(/<\/?bdi>/g, '').replace(/<\/?(?:code|strong|small)>/g, ' ');
  const attributes = [
    ...joined.matchAll(/\s(?:title|alt|placeholder|aria-label|data-[\w-]+)="([^"]*)"/g),
    ...joined.matchAll(/<meta property="og:[a-z]+" content="([^"]*)"/g),
  ].filter(([attribute]) => !NO_TEXT.test(attribute));
  return [...joined.matchAll(/>([^<]+)</g), ...attributes]
    .map(([, text = '']) => decoded(text).trim())
    .filter((text) => text !== '');
}

const NO_TEXT = /^\sdata-(?:version|at|card|push-key|origin|next|passkey|platform)=/;

function decoded(text: string): string {
  return text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
