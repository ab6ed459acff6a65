import { routes } from '../routes.ts';

/** One line per endpoint. */
export function printRoutes(): void {
  const rows = routes.map(({ method, path, access, endpoint }) => [method, path, access, endpoint.op]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
