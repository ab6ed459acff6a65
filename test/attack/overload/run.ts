import { report } from '../../../bench/result.ts';
import { overload } from './overload.ts';
import { stalled } from './stalled.ts';

/** Runs the attack of this name whose figures are measured. Exit code 1 when one misses its target. */
const attacks: Readonly<Record<string, typeof overload>> = { overload, stalled };
const attack = attacks[process.argv[2] ?? ''];
if (attack === undefined) throw new Error(`Name one of ${Object.keys(attacks).join(', ')}.`);
if (!report(await attack())) process.exitCode = 1;
