import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Order } from './side-process.fixture.ts';
import { SideProcessLost, sideProcess } from './side-process.ts';

const file = new URL('./side-process.fixture.ts', import.meta.url);
const limits = { room: 4, timeoutMs: 20_000, idleMs: 20_000 };

interface ProcessDescription {
  readonly pid: number;
  readonly env: Record<string, string>;
  readonly nice: number;
}

describe('sideProcess', () => {
  it('answers, bytes too, in one process that knows nothing of our environment', async () => {
    const ask = sideProcess<Order, unknown>(file, limits);
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    const [echo, first, second] = await Promise.all([
      ask({ do: 'echo', bytes }, 1),
      ask({ do: 'describe' }, 1) as Promise<ProcessDescription>,
      ask({ do: 'describe' }, 1) as Promise<ProcessDescription>,
    ]);
    assert.ok(Buffer.isBuffer(echo) && echo.equals(bytes));
    assert.equal(first.pid, second.pid);
    assert.notEqual(first.pid, process.pid);
    assert.ok(first.nice > getPriority());
    assert.deepEqual(
      Object.keys(first.env).filter((name) => !/^(?:MALLOC|NODE_CHANNEL|UV)_/.test(name)),
      [],
    );
  });

  it('has no more at a time than there is room for', async () => {
    const ask = sideProcess<Order, unknown>(file, limits);
    await ask({ do: 'echo' }, 1);
    const started = performance.now();
    await Promise.all([2, 2, 2, 4].map((weight) => ask({ do: 'wait', forMs: 200 }, weight)));
    assert.ok(performance.now() - started > 590);
  });

  it('raises what answering raised, and goes on', async () => {
    const ask = sideProcess<Order, unknown>(file, limits);
    const failed = ask({ do: 'fail' }, 1);
    await assert.rejects(
      failed,
      (error: Error) => /TypeError: no such thing/.test(error.message) && !(error instanceof SideProcessLost),
    );
    assert.equal(await ask({ do: 'echo' }, 1), undefined);
  });

  it('fails all waiting questions when it crashes, and starts anew', async () => {
    const ask = sideProcess<Order, unknown>(file, limits);
    const before = await ask({ do: 'wait', forMs: 1 }, 1);
    const lost = await Promise.allSettled([ask({ do: 'wait', forMs: 10_000 }, 1), ask({ do: 'crash' }, 1)]);
    for (const each of lost) assert.ok(each.status === 'rejected' && each.reason instanceof SideProcessLost);
    assert.notEqual(await ask({ do: 'wait', forMs: 1 }, 1), before);
  });

  it('loses patience', async () => {
    const ask = sideProcess<Order, unknown>(file, { ...limits, timeoutMs: 3_000 });
    const pid = await startedIn(ask);
    await assert.rejects(ask({ do: 'wait', forMs: 60_000 }, 1), /more than 3000 ms/);
    assert.notEqual(await startedIn(ask), pid);
    await ended(Number(pid));
  });

  it('ends when it has had nothing to do for a while, and comes back', async () => {
    const ask = sideProcess<Order, unknown>(file, { ...limits, idleMs: 50 });
    const pid = await ask({ do: 'wait', forMs: 1 }, 1);
    await ended(Number(pid));
    assert.notEqual(await ask({ do: 'wait', forMs: 1 }, 1), pid);
  });

  it('keeps no process from ending, and ends with the one that started it', async () => {
    const script = `
      import { sideProcess } from ${JSON.stringify(new URL('./side-process.ts', import.meta.url).href)};
      const ask = sideProcess(new URL(${JSON.stringify(file.href)}), ${JSON.stringify(limits)});
      console.log(await ask({ do: 'wait', forMs: 100 }, 1));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    await ended(Number(stdout));
  });
});

/** The process that answers; on a busy machine one may take longer to start than there is patience. */
async function startedIn(ask: (order: Order, weight: number) => Promise<unknown>): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask({ do: 'wait', forMs: 1 }, 1);
    } catch (error) {
      const wasLate = error instanceof SideProcessLost && /more than 3000 ms/.test(error.message);
      if (!wasLate || attempt === 5) throw error;
    }
  }
}

async function ended(pid: number): Promise<void> {
  assert.ok(pid > 0);
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await sleep(50);
  }
  assert.fail(`process ${pid} is still there`);
}
