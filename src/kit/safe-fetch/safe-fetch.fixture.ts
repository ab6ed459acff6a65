import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { after } from 'node:test';
import { type Internet, startInternet } from '../../../tools/fakes/internet.ts';
import { createSafeFetch, FetchRefused, type SafeFetch } from './safe-fetch.ts';

/** A fetcher that may reach the web host of a small Internet on loopback, and nothing else that is local. */
export interface Lab extends Internet {
  readonly fetchUrl: SafeFetch;
  /** Fetches; what came of it: `200` with so many bytes, or the reason of the refusal. */
  outcome(url: string, fetchUrl?: SafeFetch): Promise<string>;
  /** The same while it counts the attempts of this process to connect to anything. */
  watched(url: string, fetchUrl?: SafeFetch): Promise<{ outcome: string; connects: number }>;
}

/** Starts it for a test file, and takes it down when the file's tests are over. */
export async function startLab(): Promise<Lab> {
  const internet = await startInternet();
  after(() => internet.close());
  const own = createSafeFetch({ allow: ['127.0.0.1/32'], userAgent: 'Lab' });
  const outcome = async (url: string, fetchUrl = own) => {
    try {
      return await fetchUrl(url, { key: url, use: async (bytes) => `200 ${bytes.length}` });
    } catch (error) {
      assert.ok(error instanceof FetchRefused, `${url}: ${error}`);
      assert.match(error.message, /^[A-Z].*\.$/s);
      return error.reason;
    }
  };
  return {
    ...internet,
    fetchUrl: own,
    outcome,
    async watched(url, fetchUrl) {
      const counter = countConnects();
      try {
        return { outcome: await outcome(url, fetchUrl), connects: counter.count() };
      } finally {
        counter.stop();
      }
    },
  };
}

/** Counts what the process asks the kernel to connect to over TCP, whether it succeeds or not. */
function countConnects(): { count(): number; stop(): void } {
  let connects = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'TCPCONNECTWRAP') connects++;
    },
  }).enable();
  return { count: () => connects, stop: () => hook.disable() };
}
