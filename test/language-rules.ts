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
  [/\bmeanwhile\b/gi, 'name the moment: since, before that, during the audit, at the same time'],
  [/\bturn(?:s|ed|ing)? away\b/gi, 'write refuse'],
  [/\bonce more\b/gi, 'write again, or a second time'],
  [/\b(?:any|every|some)body\b/gi, 'name who acts: another process, a second call, the holder, the till'],
  // An account of the system has the name, and tests call an unknown holder so.
  [/\bnobody(?:['’]s| [a-z]{2,})\b/gi, 'name the actor that does not act: no caller, no worker'],
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
