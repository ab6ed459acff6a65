import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpProxy } from '../../tools/fakes/tcp-proxy.ts';
import type { ServiceProcess } from '../service-process.ts';

/** How long a process may take until it works, with a supervisor that starts it again. */
const mostStartMs = 180_000;

/** A process that is in for trouble, with its own way to the database and its own clock. */
export class Target {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly process: ServiceProcess;
  readonly proxy: TcpProxy;
  /** Whether something is happening to it. */
  isBusy = false;
  /** By how much its clock is wrong. */
  clockMs = 0;
  readonly #clockFile: string;
  #pid: number | undefined;

  constructor(
    name: string,
    role: 'api' | 'worker',
    parts: { process: ServiceProcess; proxy: TcpProxy; clockFile: string },
  ) {
    this.name = name;
    this.role = role;
    this.process = parts.process;
    this.proxy = parts.proxy;
    this.#clockFile = parts.clockFile;
  }

  /** Why it is not the process that was started; null as long as it is. */
  get death(): string | null {
    const { isRunning, pid, said } = this.process;
    return isRunning && pid === this.#pid
      ? null
      : `${this.name} (pid ${this.#pid}) ended by itself: ${said.slice(0, 500)}`;
  }

  /** Starts it as a supervisor does: where there is no database it gives up in one line, and is started again. */
  async start(): Promise<void> {
    const end = performance.now() + mostStartMs;
    for (;;) {
      this.process.launch();
      while (this.process.isRunning && !(await this.#isUp())) await sleep(20);
      if (this.process.isRunning) break;
      const { complained } = this.process;
      if (!/^punchcard: [^\n]+\n$/.test(complained) || performance.now() > end)
        throw new Error(`${this.name} does not start: ${this.process.said}`);
      await sleep(200);
    }
    this.#pid = this.process.pid;
  }

  async kill(): Promise<void> {
    // A stopped process is ended by SIGKILL all the same.
    await this.process.end('SIGKILL');
  }

  /** Makes its clock wrong by so much. */
  async shiftClock(ms: number): Promise<void> {
    this.clockMs = ms;
    await writeFile(this.#clockFile, String(ms));
  }

  #isUp(): Promise<boolean> {
    if (this.role === 'worker') return Promise.resolve(this.process.isWorking);
    return fetch(`${this.process.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
