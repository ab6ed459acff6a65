import { type ApiError, invalidRequest } from '../api-error.ts';
import { type ProblemLimit, type ProblemRule, problemOf } from './problems.ts';
import { pathOf, problemParts, type RequestPart, type SchemaError, subject } from './schema-words.ts';

/** What a value breaks; `predicate` follows its path in a sentence, without the full stop. */
export interface Broken {
  readonly rule: ProblemRule;
  readonly predicate: string;
  readonly limit?: ProblemLimit | undefined;
}

/** The refusal of the value that a schema error is about, or of a property of it. */
export function refusalAbout(
  error: SchemaError,
  part: RequestPart,
  { rule, predicate, limit }: Broken,
  property?: string,
): ApiError {
  const sentence = `${predicate}.`;
  return invalidRequest(
    `${subject(error, part, property)} ${sentence}`,
    problemOf(pathOf(error, property), rule, sentence, { limit, part: problemParts[part] }),
  );
}

/** The same in a sentence that does not begin with the value. */
export function refusalIn(
  error: SchemaError,
  part: RequestPart,
  { rule, limit }: Omit<Broken, 'predicate'>,
  sentence: string,
): ApiError {
  const detail = { limit, part: problemParts[part] };
  return invalidRequest(sentence, problemOf(pathOf(error), rule, sentence, detail));
}
