import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type NewWorkspace, type Punchcard, PunchcardError } from '../sdk/typescript/src/index.ts';

/** The error that a call is refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<PunchcardError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PunchcardError, String(error));
  return error;
}

/** Opens a workspace: its client, and its id. */
export type OpenShop = (
  account: NewWorkspace,
) => Promise<{ readonly shop: Punchcard; readonly workspaceId: string }>;

/** Waits until a phone shows something, or a receiver has it. */
export async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!isSo()) {
    assert.ok(performance.now() < end, 'the change did not arrive within 20 s');
    await sleep(20);
  }
}

/** Begins a step. */
export function say(step: string): void {
  console.log(`\n${step}`);
}

/** What a step has shown. */
export function done(result: string): void {
  console.log(`  ✓ ${result}`);
}
