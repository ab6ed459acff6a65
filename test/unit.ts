import { globSync } from 'node:fs';
import { runFiles } from './run-files.ts';
import { keepFilesInMemory } from './temporary-folder.ts';
import { unitFiles } from './unit-files.ts';

/** Runs the tests that need no database. */
keepFilesInMemory();
process.exitCode = await runFiles(unitFiles(globSync('{src,tools,test,sdk/*/test}/**/*.test.ts').sort()), {});
