import { readFileSync, statfsSync } from 'node:fs';

const inMemory = '/dev/shm';
const enoughBytes = 6 * 2 ** 30;

/**
 * Has this process and all that it starts keep their temporary files in memory, where Linux has a file system for that, with
 * plenty of room: on a disk the tests wait for each commit, and for the files of each database that they make. A TMPDIR that
 * is set stays.
 */
export function keepFilesInMemory(): void {
  if (process.env.TMPDIR === undefined && hasRoom()) process.env.TMPDIR = inMemory;
}

function hasRoom(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, settings] = new RegExp(`^\\S+ ${inMemory} tmpfs (\\S+)`, 'm').exec(mounts) ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    // Tests run copies of the database's programs there.
    const isUsable = settings !== undefined && !settings.split(',').includes('noexec');
    return isUsable && Math.min(bavail * bsize, process.availableMemory()) >= enoughBytes;
  } catch {
    return false;
  }
}
