import type { Program } from '../../sdk/typescript/src/types.ts';
import { units } from '../texts/units.ts';
import { unitIn } from './unit-in.ts';

/** What so many points are called: as the shop has named them, else in the language of the pages. */
export function unitOf(program: Pick<Program, 'mode' | 'pointName'>, count: number): string {
  return unitIn(units(), program, count);
}
