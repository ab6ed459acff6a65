import assert from 'node:assert/strict';
import { directionOf } from '../src/kit/text/language.ts';
import { languages } from '../src/words/languages.ts';

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

/** What is left of a text without the sentences of a language and what is the same in all, such as a card's code: words of two letters and more. */
function rest(text: string, language: string, own: readonly string[]): string {
  let left = ` ${text.replace(/\b[0-9A-Z]{16}\b/g, ' ').toLowerCase()} `;
  for (const word of [...own].sort(longestFirst)) left = left.replaceAll(word.toLowerCase(), ' ');
  left = left.replace(NAMES_NOTHING, ' ');
  for (const sentence of sentencesOf(language)) left = left.replace(sentence, ' ');
  return left.match(/\p{L}[\p{L}\p{M}]+/gu)?.join(' ') ?? '';
}

/** Product names, addresses, ids and paths: the same in every language. */
const NAMES_NOTHING =
  /https?:\/\/\S+|punchcard console-link|punchcard|\b(?:req|hook|pass)_[\w-]+|(?:get|patch|post) \/[\w{}/]+|[\w.+-]+@[\w.-]+|\b\d+\.\d+\.\d+\.\d+\b/gu;

const known = new Map<string, RegExp[]>();

/** The texts of a language, as far as they are the same whatever is filled in; each stands alone. */
function sentencesOf(language: string): RegExp[] {
  const words = languages[language] ?? assert.fail(language);
  const made =
    known.get(language) ??
    [...new Set(partsOf(words))]
      .sort(longestFirst)
      .map(
        (part) =>
          new RegExp(
            `(?<![\\p{L}\\p{M}])${part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{M}])`,
            'gu',
          ),
      );
  known.set(language, made);
  return made;
}

function partsOf(words: object): string[] {
  return Object.values(words).flatMap((value) =>
    typeof value === 'string'
      ? value
          .toLowerCase()
          .split(/\{\w+\}/)
          .map((part) => part.trim())
          .filter((part) => /\p{L}/u.test(part))
      : partsOf(value),
  );
}

/** What somebody reads or hears of a page: its texts, and the attributes that hold one. */
function readable(html: string): string[] {
  const body = html.replace(/<style[\s\S]*?<\/style>|<script[\s\S]*?<\/script>|<time[\s\S]*?<\/time>/g, '');
  // A name stands within a sentence.
  const joined = body.replace(/<\/?(?:bdi|code|strong|small)>/g, ' ');
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

function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}
