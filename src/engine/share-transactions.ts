import type { App } from '../context.ts';

/** So many transactions run side by side. */
export const transactionsAtOnce = 4;
/** So many workspaces share one. */
export const mostTogether = 16;

/**
 * What is to be done in workspaces, in lists that share a transaction: a commit for each of many workspaces would be most of
 * the work. On a cluster each has its own, since they may be on several nodes.
 */
export function groupByTransaction<Group>(
  { dueWorkspaces }: Pick<App, 'dueWorkspaces'>,
  groups: readonly Group[],
): Group[][] {
  const size = dueWorkspaces === null ? mostTogether : 1;
  const lists: Group[][] = [];
  for (let at = 0; at < groups.length; at += size) lists.push(groups.slice(at, at + size));
  return lists;
}
