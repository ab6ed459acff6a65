import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './service.ts';

/** What the service and its PostgreSQL have used, with processes that have ended. The kernel counts in hundredths of a second. */
export function processorMs({ pid, dataDir }: Service): { service: number; database: number } {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const ticks = (id: number, ...places: number[]) => {
    const fields = statOf(id);
    return places.reduce((sum, place) => sum + Number(fields[place] ?? 0) * 10, 0);
  };
  const children = readdirSync('/proc')
    .map(Number)
    .filter((id) => Number(statOf(id)[1]) === postmaster);
  const running = children.reduce((sum, id) => sum + ticks(id, 11, 12), 0);
  return { service: ticks(pid, 11, 12), database: running + ticks(postmaster, 11, 12, 13, 14) };
}

/** What the kernel says of a process, from its state on. Nothing where it is gone. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  } catch {
    return [];
  }
}
