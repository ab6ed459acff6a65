import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    scale: { type: 'string' },
    against: { type: 'string' },
  },
});

/** What the command line asks for. A run with fewer seconds or rows only shows that a benchmark works. */
export const options = {
  /** The benchmarks to run. */
  names: positionals,
  /** How long a contender's turn takes. */
  seconds: Number(values.seconds ?? 3),
  rounds: Number(values.rounds ?? 5),
  /** The part of the rows and of the long times. */
  scale: Number(values.scale ?? 1),
  /** The folder of another checkout to compare with, for the benchmarks that can. The two run alternately. */
  against: values.against,
};

/** So many rows, or seconds, or what the scale leaves of them. */
export function scaled(full: number): number {
  return Math.max(1, Math.round(full * options.scale));
}
