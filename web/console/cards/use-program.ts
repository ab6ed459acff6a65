import type { Program } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { api } from '../api.ts';

/** The program that a card collects in; undefined until it is there, and where there is none. */
export function useProgram(programId: string | undefined): Program | undefined {
  return useCached(['programs', programId], async (options) =>
    programId === undefined ? undefined : api.programs.get(programId, options),
  ).value;
}
