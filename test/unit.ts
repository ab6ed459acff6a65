import { runFiles } from './run-files.ts';
import { keepFilesInMemory } from './temporary-folder.ts';
import { filesOf } from './tiers.ts';
import { unitFiles } from './unit-files.ts';

/** Runs those tests of the usual tier that need no database. */
keepFilesInMemory();
const files = unitFiles(filesOf('usual'));
// They leave next to nothing behind: as few processes as are at work at once take them all.
process.exitCode = await runFiles(files, {}, files.length);
