import { readFile } from 'node:fs/promises';

/** A process that `npm start` with PROCESSES has started. */
export interface ChildProcess {
  readonly pid: number;
  readonly role: 'serve' | 'work';
}

/** The running child processes, as the system knows them; Linux only. */
export async function childrenOf(parent: number | undefined): Promise<ChildProcess[]> {
  const list = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8').catch(() => '');
  const found = await Promise.all(
    list
      .trim()
      .split(' ')
      .filter((pid) => pid !== '')
      .map(async (pid) => ({ pid: Number(pid), role: roleIn(await commandOf(Number(pid))) })),
  );
  return found.filter((child): child is ChildProcess => child.role !== undefined);
}

/** Whether a process with that number is there, and has not ended. */
export async function isAlive(pid: number): Promise<boolean> {
  return (await commandOf(pid)) !== '';
}

/** Its arguments; empty for one that is gone. */
function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}

function roleIn(command: string): string | undefined {
  return /\0process\0(serve|work)\0/.exec(command)?.[1];
}
