import { basename } from 'node:path';
import type { Need } from './target.ts';
import type { World } from './world.ts';

type Prove = (world: World) => Promise<void>;

/** A sentence of the contract, and the test that shows that it holds. */
export interface Sentence {
  readonly says: string;
  readonly needs: Need;
  readonly prove: Prove;
}

/** The sentences of a part of the contract that are in one file. */
export interface Part {
  readonly title: string;
  readonly file: string;
  readonly sentences: readonly Sentence[];
}

/**
 * Sentences with their tests: nothing can be said without a test, and no test stands outside of the table that is
 * printed from here. `url` is the `import.meta.url` of the file.
 */
export function part(
  url: string,
  title: string,
  sentences: Readonly<Record<string, Prove | Omit<Sentence, 'says'>>>,
): Part {
  return {
    title,
    file: `test/contract/${basename(new URL(url).pathname)}`,
    sentences: Object.entries(sentences).map(([says, proof]) =>
      typeof proof === 'function' ? { says, needs: 'nothing', prove: proof } : { says, ...proof },
    ),
  };
}

/** A test that needs more than the service's URL. */
export function needing(needs: Need, prove: Prove): Omit<Sentence, 'says'> {
  return { needs, prove };
}
