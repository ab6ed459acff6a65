import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

// biome-ignore lint/suspicious/noExplicitAny: the walk-through reads answers as a script would.
export type Json = any;

/** A client of the service that a walk-through runs; `call` expects success. */
export interface Shop {
  call(key: string, method: string, path: string, body?: unknown): Promise<Json>;
  send(key: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
}

/** The service at the address that `urlOf` gives, once it runs. */
export function shopAt(urlOf: () => string): Shop {
  const send: Shop['send'] = async (key, method, path, body) => {
    const reply = await fetch(`${urlOf()}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  };
  return {
    send,
    async call(key, method, path, body) {
      const reply = await send(key, method, path, body);
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply.body;
    },
  };
}

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
