import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/**
 * Watches a timer; returns a function that stops it and returns the longest time that the loop did not run: in all, and
 * without the time in which the thread was ready to run and the operating system let others go first.
 */
export function probeEventLoop(): () => { blockedMs: number; delayMs: number } {
  const everyMs = 2;
  const longest = { blockedMs: 0, delayMs: 0 };
  const waited = openWaitCounter();
  let fired = performance.now();
  let waitedBefore = waited.readMs();
  const timer = setInterval(() => {
    const now = performance.now();
    const waitedNow = waited.readMs();
    const delay = now - fired - everyMs;
    longest.delayMs = Math.max(longest.delayMs, delay);
    longest.blockedMs = Math.max(longest.blockedMs, delay - (waitedNow - waitedBefore));
    fired = performance.now();
    waitedBefore = waitedNow;
  }, everyMs);
  return () => {
    clearInterval(timer);
    waited.close();
    return longest;
  };
}

/** How long the main thread has waited for a processor in its life: Linux counts it, elsewhere it reads 0. */
function openWaitCounter(): { readMs: () => number; close: () => void } {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(path)) return { readMs: () => 0, close: () => {} };
  const file = openSync(path, 'r');
  const text = Buffer.alloc(80);
  return {
    readMs: () => {
      const length = readSync(file, text, 0, text.length, 0);
      return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
    },
    close: () => closeSync(file),
  };
}
