import type { ViolationKind } from './history.ts';
import type { Outcome } from './suite.ts';

const meanings: Readonly<Record<ViolationKind, string>> = {
  doubled: 'effects that are there twice',
  lost: 'acknowledged and not there',
  unasked: 'refused or never acknowledged, and there',
  replay: 'repeats with another answer',
  answer: 'answers that a client cannot use',
  stuck: 'stuck after the last fault',
  died: 'processes that ended by themselves',
  books: 'books that disagree',
};

/** The outcome as a table for people. */
export function summaryOf(outcome: Outcome): string {
  const { faults, impossible, violations } = outcome;
  const rows: (readonly [string, number | string])[] = [
    ...Object.entries({ ...faults, ...notDone(impossible) }),
    ['calls acknowledged', outcome.acknowledged],
    ['calls refused', outcome.refused],
    ['calls unknown for a while, then resolved', outcome.resolved],
    ['repeats of acknowledged calls', outcome.replays],
    ['pushes delivered', outcome.pushes],
    ...Object.entries(meanings).map(
      ([kind, meaning]) => [meaning, violations.filter((one) => one.kind === kind).length] as const,
    ),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
}

function notDone(impossible: Outcome['impossible']): Record<string, string> {
  return Object.fromEntries(Object.entries(impossible).map(([name, why]) => [name, `not done: ${why}`]));
}

/** The violations, each with the history of its call; a few are enough. */
export function violationsOf({ violations }: Outcome): string {
  return violations
    .slice(0, 20)
    .map(({ kind, what, history }) =>
      [`${kind}: ${what}`, ...history.map((line) => `    ${line}`)].join('\n'),
    )
    .join('\n');
}
