import type { Sources } from './architecture-rules.ts';
import { lineOf } from './source-text.ts';

/** Phrases that a reader stumbles over, and what to write instead. */
const phrases: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/\bwhom?ever\b/gi, 'name the person or the program: the caller, the holder, a worker'],
  [/\bwhat (?:becomes|became|has become) of\b/gi, 'write "the outcome of", or name it'],
  [/\b(?:tells?|told|telling)\b|\b(?:tell|told)[A-Z]/gi, 'write show, report, emit, warn or distinguish'],
  [
    /\b(?:stands?|stood|standing) (?:as|at|behind|beside|for|in|on|there)\b/gi,
    'write is, means, replaces or belongs',
  ],
  [/\bof late\b/gi, 'write recently'],
  [/\bby now\b/gi, 'write now, already or current'],
  [/\bof whom\b/gi, 'make two sentences'],
  [/\bwork(?:s|ed|ing)? off\b/g, 'write process'],
  [/\bbeside\b/gi, 'write besides, next to, alongside or except'],
  [/\bany more\b(?! than\b)/gi, 'write no longer'],
  [/\b(?:comes?|came) about\b/gi, 'write is made, or happens'],
  [/\bfor the sake of\b/gi, 'write for'],
  [
    /\b(?:hold|held)(?:Card|Cards|Row|Rows|Pass|Workspace|Target|Targets|Taken|Orders)\b/g,
    'write lock: the word of the database',
  ],
];

/** What people read: code with its comments, documents, texts of pages. Migrations never change once they are applied, nor does the past. */
const isRead = /^(?:(?:src|web|tools|test|scripts|bench|sdk|docs|deploy)\/.*|[^/]+)\.(?:tsx?|js|css|md|sh)$/;

/** Plain English, everywhere: subject, verb, object, and the words of the field. */
export function plainEnglish(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    if (
      !isRead.test(path) ||
      /^(?:test\/(?:language-rules|architecture\.test)\.ts|CHANGELOG\.md)$/.test(path)
    )
      return [];
    return phrases.flatMap(([pattern, advice]) =>
      [...text.matchAll(pattern)].map(
        ({ 0: phrase, index }) => `${path}:${lineOf(text, index)} says "${phrase}": ${advice}`,
      ),
    );
  });
}
