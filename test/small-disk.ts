import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own in memory, which can be full from one moment to the next. */
export interface SmallDisk {
  readonly path: string;
  /** Leaves no room besides what is there. */
  fill(): void;
  /** Gives the room back. */
  free(): void;
  unmount(): void;
}

/** Mounts a disk of this many megabytes; null where this account may not mount anything. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  if (process.geteuid?.() !== 0 || process.platform !== 'linux') return null;
  const path = mkdtempSync(join(tmpdir(), 'punchcard-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'punchcard-test', path], { stdio: 'ignore' });
  const resize = (kilobytes: number) => mount(`remount,size=${kilobytes}k`);
  try {
    mount(`size=${megabytes}m`);
  } catch {
    rmdirSync(path);
    return null;
  }
  return {
    path,
    fill() {
      // A concurrent write makes the new size too small, which is refused.
      for (let attempt = 1; ; attempt++) {
        const { bsize, blocks, bfree } = statfsSync(path);
        try {
          resize(((blocks - bfree) * bsize) / 1024);
          return;
        } catch (error) {
          if (attempt === 50) throw error;
        }
      }
    },
    free: () => resize(megabytes * 1024),
    unmount() {
      execFileSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}
