import { type Static, Type } from 'typebox';
import { documentedWith, named } from './documented.ts';
import { oneOf } from './shapes.ts';

/** What a value can break. Rules never change their meaning and are only added to. */
export const problemRules = [
  'required',
  'type',
  'unknown',
  'enum',
  'reserved',
  'blank',
  'pattern',
  'check_digit',
  'format',
  'min_length',
  'max_length',
  'min_items',
  'max_items',
  'min_properties',
  'max_properties',
  'min_value',
  'max_value',
  'more_than',
  'less_than',
  'multiple_of',
  'max_decimals',
  'future',
  'past',
  'max_days_ago',
  'unique',
  'excluded',
  'reference',
  'fixed',
  'syntax',
  'other',
] as const;

export type ProblemRule = (typeof problemRules)[number];

/** One thing that is wrong with a request, in a form that a program can act on. */
export const Problem = named(
  'Problem',
  Type.Object(
    {
      path: Type.String({
        description:
          'what is wrong: `fields[0].key` in the body, `line 12` in a table, the name of a parameter or header; empty for the whole of it',
      }),
      part: Type.Optional(
        Type.Union([Type.Literal('query'), Type.Literal('path'), Type.Literal('header')], {
          description: 'the part of the request; absent for the body',
        }),
      ),
      rule: documentedWith(oneOf(problemRules), {
        description: 'what it breaks; take one that you do not know for `other`',
      }),
      limit: Type.Optional(
        Type.Union(
          [
            Type.Number(),
            Type.String(),
            Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
          ],
          {
            description:
              'what the rule asks for: a number, the name of a format, or the list of what is possible',
          },
        ),
      ),
      message: Type.String({
        description:
          'what to fix, without the path, to be shown at a field. May be reworded: never match on it',
      }),
    },
    { description: 'one thing that is wrong with a request' },
  ),
);

export type Problem = Static<typeof Problem>;
export type ProblemPart = NonNullable<Problem['part']>;
export type ProblemLimit = NonNullable<Problem['limit']>;

/** A problem without what its place in the code already says. */
export interface ProblemDetail {
  readonly limit?: ProblemLimit | undefined;
  /** The part of the request; the body where it is absent. */
  readonly part?: ProblemPart | undefined;
}

/** A problem; `predicate` is a sentence whose subject is the path, such as `must not be empty.` */
export function problemOf(
  path: string,
  rule: ProblemRule,
  predicate: string,
  { limit, part }: ProblemDetail = {},
): Problem {
  return {
    path,
    ...(part !== undefined && { part }),
    rule,
    ...(limit !== undefined && { limit }),
    message: capitalized(predicate),
  };
}

function capitalized(predicate: string): string {
  return /^[a-z]+[ ,.]/.test(predicate) ? predicate.charAt(0).toUpperCase() + predicate.slice(1) : predicate;
}
