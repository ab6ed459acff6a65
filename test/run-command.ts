import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedSettings } from './inherited-settings.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export interface CommandRun {
  readonly code: number | null;
  readonly printed: string;
  readonly complained: string;
}

/** Runs `punchcard` with these arguments and settings to its end. */
export function runCommand(
  args: readonly string[],
  settings: Record<string, string | undefined>,
): Promise<CommandRun> {
  const env = { PATH: process.env.PATH, ...inheritedSettings(), ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, printed, complained) =>
      resolve({ code: error === null ? 0 : Number(error.code), printed, complained }),
    );
  });
}

/** The same, of a command that succeeds; what it printed. */
export async function succeed(
  args: readonly string[],
  settings: Record<string, string | undefined>,
): Promise<string> {
  const { code, printed, complained } = await runCommand(args, settings);
  assert.equal(code, 0, complained);
  return printed;
}

/** The same, of a command that fails, with a reason of one line. */
export async function refuse(
  reason: RegExp,
  args: readonly string[],
  settings: Record<string, string | undefined>,
): Promise<void> {
  const { code, complained } = await runCommand(args, settings);
  assert.equal(code, 1, complained);
  assert.match(complained, reason);
  assert.match(complained, /^punchcard: [^\n]+\n$/);
}
