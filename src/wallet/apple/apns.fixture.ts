import type { TestContext } from 'node:test';
import { type FakeApns, type FakeApnsOptions, startFakeApns } from '../../../tools/fakes/apns.ts';
import { makeAuthority } from '../../../tools/fakes/authority.ts';
import { type ApnsOptions, createApns } from './apns.client.ts';
import type { Apns } from './apns-push.ts';
import { leaf, leafKeys, passTypeIdentifier, root, wwdr } from './certificates/signing.fixture.ts';

export const authority = makeAuthority();

/** Starts Apple's push service for one test. */
export async function startApns(t: TestContext, options: Partial<FakeApnsOptions> = {}): Promise<FakeApns> {
  const fake = await startFakeApns({ authority, clientAuthorities: [root], ...options });
  t.after(() => fake.close());
  return fake;
}

export interface LogLine {
  readonly level: 'info' | 'warn';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

/** All that the clients of this file's tests have logged. */
export const logged: LogLine[] = [];

/** A client for one test, and what it logs. */
export function openApns(
  t: TestContext,
  options: Partial<ApnsOptions> & { url: string },
): Apns & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: LogLine['level']) =>
    (fields: unknown, message = ''): void => {
      const line: LogLine = { level, fields: { ...(fields as object) }, message };
      lines.push(line);
      logged.push(line);
    };
  const apns = createApns({
    identity: { certificate: leaf, privateKey: leafKeys.privateKey, wwdr },
    topic: passTypeIdentifier,
    ca: authority.certificate.toString(),
    log: { info: write('info'), warn: write('warn') },
    ...options,
  });
  t.after(() => apns.close());
  return Object.assign(apns, { lines });
}

/** The n-th device. */
export function tokenOf(n: number): string {
  return n.toString(16).padStart(8, '0').repeat(8);
}

/** The first `count` devices. */
export function tokens(count: number): string[] {
  return Array.from({ length: count }, (_, n) => tokenOf(n));
}

/** Waits until something is so; fails after ten seconds. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 10_000;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`It never happened that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
