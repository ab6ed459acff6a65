import { report } from '../../../bench/result.ts';
import { overload } from './overload.ts';

/** The attack whose figures are measured, in a process of its own: what it shares with the benchmarks reads the command line. */
if (!report(await overload())) process.exitCode = 1;
