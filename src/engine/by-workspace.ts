/**
 * Rows of several workspaces as those of one after the other, in the order of the workspaces' ids: each statement names one,
 * and all who lock rows of several do it in one order.
 */
export function byWorkspace<Row extends { readonly workspaceId: string }>(
  rows: readonly Row[],
): (readonly [workspaceId: string, rows: Row[]])[] {
  return [...Map.groupBy(rows, ({ workspaceId }) => workspaceId)].sort(([a], [b]) => (a < b ? -1 : 1));
}
