import type { PublicCtx } from '../context.ts';
import { foldSome, rereadSome } from './fold-texts.ts';

/**
 * Folds what a former version has written while this one runs, and reads numbers again after a change of the country. False
 * when there is nothing to do.
 */
export async function foldLeft({ app: { database } }: PublicCtx): Promise<boolean> {
  const { folded } = await foldSome(database);
  return (await rereadSome(database)) || folded > 0;
}
