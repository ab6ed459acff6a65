import { globSync } from 'node:fs';
import { runFiles } from './run-files.ts';
import { keepFilesInMemory } from './temporary-folder.ts';
import { unitFiles } from './unit-files.ts';

/** Runs the tests that need no database. */
keepFilesInMemory();
const files = unitFiles(globSync('{src,tools,test,sdk/*/test}/**/*.test.ts').sort());
// They leave next to nothing behind: as few processes as are at work at once take them all.
process.exitCode = await runFiles(files, {}, files.length);
