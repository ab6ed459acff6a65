import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Client, Json, Reply } from '../../../test/client.ts';
import { makeCard, makePass } from '../../../test/factories.ts';
import type { TestApp } from '../../../test/harness.ts';
import { extractZip, listZip } from '../../../tools/validator/zip-reader.ts';

/** A card as a device holds it. */
export interface LockedCard {
  readonly instanceId: string;
  readonly serialNumber: string;
  readonly token: string;
  readonly lastModified: string;
}

/** Adds a card to a device's wallet: what the file says is all that the device knows. */
export async function takeCard(app: TestApp, { instanceId, links }: Json): Promise<LockedCard> {
  const file = await app.anyone.get(links.apple);
  const { serialNumber, authenticationToken } = passJsonOf(file.body);
  const lastModified = file.headers.get('last-modified') ?? '';
  return { instanceId, serialNumber, token: authenticationToken, lastModified };
}

/** Cards of a new pass with an editable field, taken by a device. */
export async function takeNewCards(
  app: TestApp,
  client: Client,
  count: number,
): Promise<[LockedCard, ...LockedCard[]]> {
  const { passId } = await makePass(client);
  const cards: LockedCard[] = [];
  for (let n = 0; n < count; n++) cards.push(await takeCard(app, await makeCard(client, passId)));
  const [first, ...others] = cards;
  assert.ok(first !== undefined);
  return [first, ...others];
}

export function passJsonOf(file: Buffer): Json {
  const report = (_rule: string, message: string) => assert.fail(message);
  const files = extractZip(file, listZip(file, report) ?? [], { entries: 100, bytes: 10_000_000 }, report);
  return JSON.parse(files?.get('pass.json')?.toString('utf8') ?? '');
}

/** Speaks Apple's protocol, one request at a time and only as asked; `tools/fakes/phone.ts` behaves like iOS. */
export class Device {
  readonly id = randomBytes(16).toString('hex');
  pushToken = randomBytes(32).toString('hex');
  readonly #client: Client;
  readonly #passType: string;

  constructor(app: TestApp, client: Client = app.anyone) {
    this.#client = client;
    this.#passType = app.running.app.apple.passTypeIdentifier;
  }

  register(card: LockedCard): Promise<Reply> {
    return this.#client.post(this.#registration(card), { pushToken: this.pushToken }, auth(card));
  }

  unregister(card: LockedCard): Promise<Reply> {
    return this.#client.delete(this.#registration(card), auth(card));
  }

  /** What has changed since the tag. */
  list(tag?: string): Promise<Reply> {
    const query = tag === undefined ? '' : `?passesUpdatedSince=${encodeURIComponent(tag)}`;
    return this.#client.get(`/apple/v1/devices/${this.id}/registrations/${this.#passType}${query}`);
  }

  fetch(card: LockedCard, ifModifiedSince?: string): Promise<Reply> {
    const since: Record<string, string> =
      ifModifiedSince === undefined ? {} : { 'if-modified-since': ifModifiedSince };
    return this.#client.get(`/apple/v1/passes/${this.#passType}/${card.serialNumber}`, {
      headers: { ...auth(card).headers, ...since },
    });
  }

  #registration({ serialNumber }: LockedCard): string {
    return `/apple/v1/devices/${this.id}/registrations/${this.#passType}/${serialNumber}`;
  }
}

export function auth({ token }: LockedCard): { readonly headers: { readonly authorization: string } } {
  return { headers: { authorization: `ApplePass ${token}` } };
}

export interface DeviceRow {
  readonly workspace_id: string;
  readonly device_id: string;
  readonly push_token: string;
  readonly tag: string;
  readonly due_at: Date | null;
}

/** What is kept of a device; undefined when it is not known. */
export async function deviceRow(app: TestApp, device: Device): Promise<DeviceRow | undefined> {
  const [row] = await app.sql<DeviceRow>(
    'select workspace_id, device_id, push_token, tag, due_at from apple_devices where device_library_identifier = $1',
    [device.id],
  );
  return row;
}
