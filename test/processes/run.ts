import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNode } from '../run-node.ts';

/**
 * Several processes on one database, at length: `npm run test:processes`. Arguments are files of this folder; all of
 * them without any. Where Redis or PgBouncer is missing, what needs it is passed over with a word on what to install.
 */
const runner = fileURLToPath(new URL('../run.ts', import.meta.url));
const wanted = process.argv.slice(2);
const files = wanted.length > 0 ? wanted : globSync('test/processes/*.deep.test.ts').sort();
process.exitCode = await runNode([runner, ...files], { PUNCHCARD_TEST_PROCESSES: 'long' });
