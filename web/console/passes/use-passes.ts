import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { namesKeptMs, useCached } from '../../shared/cached.ts';
import type { Loaded } from '../../shared/data.ts';
import { api } from '../api.ts';

/** All passes of the workspace, page by page. */
export function useLoadedPasses(): Loaded<readonly Pass[]> {
  return useCached(['passes', 'names'], (options) => api.passes.list({ limit: 100 }, options).toArray(), {
    keptMs: namesKeptMs,
  });
}

/** The same; empty until they are there. */
export function usePasses(): readonly Pass[] {
  return useLoadedPasses().value ?? [];
}

/** What a pass is called; its id where it is none of these. */
export function titleOf(passes: readonly Pass[], passId: string): string {
  return passes.find((pass) => pass.passId === passId)?.title ?? passId;
}

/** Titles by id, to choose from: published passes, and the one that is chosen already. */
export function passOptions(
  passes: readonly Pass[],
  chosen: string | null = null,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    passes
      .filter(({ passId, status }) => status === 'published' || passId === chosen)
      .map(({ passId, title }) => [passId, title]),
  );
}
