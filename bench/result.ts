/** One figure of a benchmark. Without a target it is for information. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  /** `x` is a ratio measured in one run on one machine, the only kind of figure that travels between machines. */
  readonly unit: 'x' | 'ms' | '/s' | 'MB' | 'µs' | '%' | 'rows';
  readonly target?: { readonly min?: number; readonly max?: number };
  readonly note?: string;
}

/** The middle of an odd number of values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Prints the results as an aligned table and returns whether all targets hold. */
export function report(results: readonly BenchResult[]): boolean {
  const rows = results.map((result) => [
    verdict(result),
    result.name,
    figure(result.value, result.unit),
    target(result),
    result.note ?? '',
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0), 0));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(cells.join('  ').trimEnd());
  }
  return results.every(holds);
}

function holds({ value, target }: BenchResult): boolean {
  // Written so that NaN fails.
  return (
    (target?.min === undefined || value >= target.min) && (target?.max === undefined || value <= target.max)
  );
}

function verdict(result: BenchResult): string {
  if (result.target === undefined) return '';
  return holds(result) ? 'ok' : 'MISS';
}

function figure(value: number, unit: BenchResult['unit']): string {
  const digits = Math.abs(value) >= 100 ? 0 : 2;
  return unit === '/s' ? `${value.toFixed(digits)}/s` : `${value.toFixed(digits)} ${unit}`;
}

function target({ target, unit }: BenchResult): string {
  const bounds = [
    target?.min === undefined ? [] : `>= ${target.min} ${unit}`,
    target?.max === undefined ? [] : `<= ${target.max} ${unit}`,
  ];
  return bounds.flat().join(', ');
}
