import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeApns, type FakeApnsOptions, startFakeApns } from '../tools/fakes/apns.ts';
import { Phone, type PhoneOptions } from '../tools/fakes/phone.ts';
import type { Json } from './client.ts';
import type { TestApp } from './harness.ts';

/** Apple's push service for services with the tests' development certificates; closed after the file's tests. */
export async function startDevelopmentApns(options: Partial<FakeApnsOptions> = {}): Promise<FakeApns> {
  const folder = process.env.PUNCHCARD_TEST_APPLE;
  if (folder === undefined) throw new Error('Run tests with: npm test -- FILE');
  const certificate = new X509Certificate(await readFile(join(folder, 'wwdr.pem')));
  const privateKey = createPrivateKey(await readFile(join(folder, 'wwdr.key')));
  const authority = { certificate, privateKey };
  const root = new X509Certificate(await readFile(join(folder, 'root.pem')));
  const apns = await startFakeApns({ authority, clientAuthorities: [root, certificate], ...options });
  after(() => apns.close());
  return apns;
}

/** Phones that hold cards of a service and get what the push service brings them. */
export class Phones {
  readonly #app: TestApp;
  readonly #all = new Map<string, Phone>();

  constructor(app: TestApp, apns: FakeApns) {
    this.#app = app;
    apns.onPush(({ token, topic }) => void this.#all.get(token)?.pushed(topic));
  }

  /** A phone with the cards of these answers in it. */
  async add(cards: readonly Json[], options: Partial<PhoneOptions> = {}): Promise<Phone> {
    const { apple, config } = this.#app.running.app;
    const phone = new Phone({
      root: apple.root,
      reach: (url) => url.replace(config.publicUrl, this.#app.url),
      now: () => this.#app.running.app.now(),
      ...options,
    });
    this.#all.set(phone.pushToken, phone);
    for (const card of cards) await phone.add(card.links.add);
    return phone;
  }
}

/** Waits until `isSo` answers true; fails after `mostMs` with `what` did not come true. */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  mostMs = 60_000,
): Promise<void> {
  const end = performance.now() + mostMs;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${mostMs} ms`);
    await sleep(20);
  }
}
