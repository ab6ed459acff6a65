import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritedSettings } from '../test/inherited-settings.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** Far more than anything takes, also on a busy machine. */
const longestWaitMs = 120_000;

/** `punchcard simulate …` as a person runs it. */
export class Simulation {
  static readonly #all: Simulation[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  printed = '';
  complained = '';

  constructor(dataDir: string, ...args: string[]) {
    this.#child = spawn(process.execPath, [main, 'simulate', ...args], {
      env: { PATH: process.env.PATH, ...inheritedSettings(), DATA_DIR: dataDir },
    });
    this.#ended = once(this.#child, 'close');
    this.#child.stdout?.on('data', (chunk) => (this.printed += chunk));
    this.#child.stderr?.on('data', (chunk) => (this.complained += chunk));
    Simulation.#all.push(this);
  }

  /** Ends all that run, however they feel about it. */
  static killAll(): void {
    for (const simulation of Simulation.#all) simulation.#child.kill('SIGKILL');
  }

  /** Waits until it has printed this; gives what is in brackets. */
  async prints(text: RegExp): Promise<string> {
    const end = performance.now() + longestWaitMs;
    while (!text.test(this.printed)) {
      assert.ok(
        performance.now() < end && this.isRunning,
        `no ${text} in:\n${this.printed}${this.complained}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return text.exec(this.printed)?.[1] ?? '';
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** Ctrl-C. */
  interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.ended();
  }
}
