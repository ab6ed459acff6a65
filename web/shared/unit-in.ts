import type { Program } from '../../sdk/typescript/src/types.ts';
import { en } from '../texts/en/units.ts';

/** What so many points are called: as the shop has named them, else by words of a language. */
export function unitIn(
  words: typeof en,
  { mode, pointName }: Pick<Program, 'mode' | 'pointName'>,
  count: number,
): string {
  const begun = en[mode];
  const isNamed = pointName.one !== begun.one || pointName.other !== begun.other;
  return (isNamed ? pointName : words[mode])[Math.abs(count) === 1 ? 'one' : 'other'];
}
