import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { afterEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createSupervisor, EndedAtStart, type Supervisor } from './supervisor.ts';

const program = fileURLToPath(new URL('supervisor.fixture.ts', import.meta.url));

type Does = 'be ready' | 'wait' | 'end';

const opened: Supervisor<string>[] = [];
afterEach(async () => {
  for (const supervisor of opened.splice(0)) await supervisor.stop('SIGKILL');
});

/** A supervisor of so many whose children do these things, in the order in which they are started; the last from then on. */
function supervise(count: number, ...behaviours: readonly Does[]) {
  const said: Record<string, unknown>[] = [];
  const started: string[][] = [];
  const log = (fields: object, message: string) => void said.push({ ...fields, message });
  const supervisor = createSupervisor<string>({
    roles: Array.from({ length: count }, (_, at) => `role ${at}`),
    start(role, ready) {
      const does = behaviours[Math.min(started.length, behaviours.length - 1)] ?? 'end';
      started.push([role, ...ready.map((child) => child.role)]);
      return fork(program, [does]);
    },
    onStart: () => undefined,
    onReady: (child, content) => assert.equal(content, child.pid),
    onEnd: () => undefined,
    log: { info: log, warn: log, error: log } as Parameters<typeof createSupervisor>[0]['log'],
    restMs: { firstMs: 10, mostMs: 80 },
  });
  opened.push(supervisor);
  return { supervisor, said, started };
}

/** Ends the process without asking it. */
function kill(pid: number | undefined): void {
  process.kill(pid ?? 0, 'SIGKILL');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}

test('starts the first alone, and the others when it is ready', async () => {
  const { supervisor, started } = supervise(3, 'be ready');
  await supervisor.start();
  assert.deepEqual(started, [['role 0'], ['role 1', 'role 0'], ['role 2', 'role 0']]);
  assert.equal(supervisor.ready.length, 3);
  assert.equal(await supervisor.stop('SIGTERM'), false, 'they know nothing of signals');
  assert.equal(supervisor.ready.length, 0);
});

test('says how one has ended that was never ready', async () => {
  const { supervisor, started } = supervise(2, 'end');
  await assert.rejects(supervisor.start(), (error) => {
    assert.ok(error instanceof EndedAtStart);
    assert.deepEqual(error.ending, { code: 3, signal: null });
    return true;
  });
  assert.equal(started.length, 1);
});

test('a process that is stopped before it is ready ends without an error', async () => {
  const { supervisor } = supervise(1, 'wait');
  const starting = assert.rejects(supervisor.start(), EndedAtStart);
  assert.equal(await supervisor.stop('SIGTERM'), true);
  await starting;
});

test('starts again what ends, after longer and longer rests, up to the most', async () => {
  const { supervisor, said } = supervise(1, 'be ready', 'end');
  await supervisor.start();
  kill(supervisor.ready[0]?.pid);
  await until(() => said.length >= 6);
  assert.deepEqual(
    said.slice(0, 6).map(({ restMs }) => restMs),
    [10, 20, 40, 80, 80, 80],
  );
});

test('exchanges each, one after the other, and again when it is asked during that', async () => {
  const { supervisor, said } = supervise(2, 'be ready');
  await supervisor.start();
  const before = supervisor.ready.map(({ pid }) => pid);
  await Promise.all([supervisor.exchange(), supervisor.exchange()]);
  const exchanged = said.filter(({ message }) => message === 'a process was exchanged');
  assert.deepEqual(
    exchanged.map(({ role }) => role),
    ['role 0', 'role 1', 'role 0', 'role 1'],
  );
  assert.deepEqual(
    exchanged.map(({ child }) => child),
    [...before, ...exchanged.slice(0, 2).map(({ next }) => next)],
  );
  assert.deepEqual(
    supervisor.ready.map(({ pid }) => pid),
    exchanged.slice(2).map(({ next }) => next),
  );
});

test('when the new one does not come up, the old ones stay, and are kept', async () => {
  const { supervisor, said } = supervise(2, 'be ready', 'be ready', 'end', 'be ready');
  await supervisor.start();
  const before = supervisor.ready.map(({ pid }) => pid);
  await supervisor.exchange();
  assert.deepEqual(
    supervisor.ready.map(({ pid }) => pid),
    before,
  );
  kill(before[0]);
  await until(() => supervisor.ready.length === 2 && supervisor.ready[0]?.pid !== before[0]);
  assert.deepEqual(
    said.map(({ message }) => message),
    ['the new process ended: the old ones stay', 'a process has ended: another follows'],
  );
});
