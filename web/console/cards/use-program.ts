import type { Program } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { cards } from '../../texts/cards.ts';
import { en } from '../../texts/en/cards.ts';
import { api } from '../api.ts';

/** The program that a card collects in; undefined until it is there, and where there is none. */
export function useProgram(programId: string | undefined): Program | undefined {
  return useCached(['programs', programId], async (options) =>
    programId === undefined ? undefined : api.programs.get(programId, options),
  ).value;
}

/** What so many points are called: as the shop has named them, else in the language of the pages. */
export function unitOf(program: Program | undefined, count: number): string | undefined {
  if (program === undefined) return undefined;
  const { mode, pointName } = program;
  const begun = en.units[mode];
  const isNamed = pointName.one !== begun.one || pointName.other !== begun.other;
  return (isNamed ? pointName : cards().units[mode])[Math.abs(count) === 1 ? 'one' : 'other'];
}
