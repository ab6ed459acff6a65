import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { routes } from '../../src/routes.ts';
import { signInAs } from '../../src/sign-in/people.fixture.ts';
import type { Json, Reply } from '../client.ts';
import { inParallel } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { bodySchemaOf, over, type Schema } from '../text-places.ts';
import { makeTenant, pathWith, rowsOf } from './tenant.ts';

/** Bodies with properties that only answers or JavaScript objects have are refused, and nothing is changed. */
const app = await startTestApp({ WORKERS: 'off', DATABASE_POOL: '20' });
const { client, workspaceId, names } = await makeTenant(app);

/** What would be worth assigning, and what has broken programs that merge objects. */
const coveted = [
  ...[
    'workspaceId',
    'accountId',
    'credits',
    'balance',
    'plan',
    'status',
    'createdAt',
    'id',
    'limit',
    'admin',
  ],
  ...['access', 'passIds', 'suspended', 'secret', 'pendingRewards', 'revision', 'linkSecret', 'counts'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'],
];

const browser = await signInAs(app, 'viewer', client);

/** Every property that any answer has. */
const shown = new Set<string>();
for (const { endpoint } of routes) for (const answer of Object.values(endpoint.answers)) collect(answer);

function collect(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {}, items, anyOf = [] } = schema as Schema;
  for (const [name, inner] of Object.entries(properties)) {
    shown.add(name);
    collect(inner);
  }
  for (const inner of [items, ...anyOf]) collect(inner);
}

/** An object in a body: which properties it may have, and the body with this one in it. */
interface Level {
  readonly path: string;
  readonly known: ReadonlySet<string>;
  readonly with: (object: Json) => Json;
}

function levelsOf(schema: Schema | undefined, path = ''): Level[] {
  // A form is no JSON.
  if (schema?.contentMediaType !== undefined || schema === undefined) return [];
  if (schema.anyOf !== undefined) return merged(schema.anyOf.flatMap((one) => levelsOf(one, path)));
  if (schema.type === 'array')
    return levelsOf(schema.items, `${path}[]`).map((level) => ({
      ...level,
      with: (object) => [{ ...samples[`${path}[]`], ...level.with(object) }],
    }));
  if (schema.type !== 'object' || schema.patternProperties !== undefined) return [];
  const { properties = {} } = schema;
  const inner = Object.entries(properties).flatMap(([name, one]) =>
    levelsOf(one, `${path}.${name}`).map((level) => ({
      ...level,
      with: (object: Json) => ({
        [name]:
          level.path === `${path}.${name}`
            ? level.with(object)
            : within(samples[`${path}.${name}`], level.with(object)),
      }),
    })),
  );
  const own: Level = { path, known: new Set(Object.keys(properties)), with: (object) => object };
  return [own, ...inner];
}

/** A deeper level, with what else is required. */
function within(sample: Json | undefined, value: Json): Json {
  return sample === undefined ? value : { ...sample, ...value };
}

/** The variants of one object may each have what the others have. */
function merged(levels: readonly Level[]): Level[] {
  const byPath = new Map<string, Level>();
  for (const level of levels) {
    const other = byPath.get(level.path);
    byPath.set(level.path, { ...level, known: new Set([...level.known, ...(other?.known ?? [])]) });
  }
  return [...byPath.values()];
}

/** Objects whose required properties the example does not show, by where they stand. */
const samples: Readonly<Record<string, Json>> = {
  'createPass .expiry': { kind: 'none' },
  'updatePass .expiry': { kind: 'none' },
  'previewDesign .expiry': { kind: 'none' },
  '.fields[]': { key: 'tier', label: 'Tier', value: 'Bronze', section: 'secondary' },
  '.join': { enabled: true },
  '.join.fields[]': { key: 'name' },
  '.join.consents[]': { key: 'news', text: 'News', required: false },
  '.locations[]': { latitude: 1, longitude: 2 },
  '.location': { latitude: 1, longitude: 2 },
  '.beacons[]': { uuid: '5a4bcfce-174e-4bac-a814-092e77f6b7e5' },
  '.dates[]': { start: '2027-03-01T19:30:00Z' },
  '.modules[]': { header: 'Offers', url: 'https://shop.example' },
  '.actions[]': { kind: 'shop', title: 'Shop', to: 'https://shop.example' },
  '.instances[]': { barcode: 'B-1' },
  '.updates[]': { instanceId: 'inst_x', fields: { tier: 'Gold' } },
  '.voids[]': { instanceId: 'inst_x' },
  '.awards[]': { identifier: 'nobody', passId: names.passId, points: 1 },
  '.adjustments[]': { identifier: 'nobody', passId: names.passId, points: 1, reason: 'none' },
  '.rewards[]': { title: 'Free coffee', cost: 10 },
  '.tiers[]': { key: 'gold', title: 'Gold', from: 100 },
  '.earn.minOrder': { amount: '1.00', currency: 'EUR' },
  '.pointName': { one: 'bean', other: 'beans' },
  '.program': { mode: 'POINTS', reward: { title: 'Free coffee', cost: 10 } },
  '.program.reward': { title: 'Free coffee', cost: 10 },
  '.program.pointName': { one: 'bean', other: 'beans' },
  '.maxBalance': { amount: '1.00', currency: 'EUR' },
  '.value': { amount: '1.00', currency: 'EUR' },
  '.instances[].value': { amount: '1.00', currency: 'EUR' },
  '.amount': { amount: '1.00', currency: 'EUR' },
  '.total': { amount: '1.00', currency: 'EUR' },
  '.items[].total': { amount: '1.00', currency: 'EUR' },
  '.consent': { metaKey: 'newsletter', metaValue: 'yes' },
  '.subscription': { endpoint: 'https://push.example' },
  '.subscription.keys': { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) },
};

/** Stands where the property goes: in JSON an object may have a property `__proto__`, in JavaScript it is none. */
const slot = '@slot';

/** Bodies that are signed or Apple's, in which what is not known is passed over: nothing may come of it. */
const open = new Set(['receiveWebhook', 'googleCallback', 'registerDevice', 'logDeviceErrors']);

const atOnce = 25;

for (const { method, path, access, endpoint } of routes) {
  const { op, body, example } = endpoint;
  if (method === 'GET' || body === undefined) continue;
  const by = access === 'operator' ? app.operator : access === 'session' ? browser : client;
  const url = pathWith(path, names);

  describe(`${op} takes no property that it does not know`, () => {
    for (const { path: place, known, with: laid } of levelsOf(bodySchemaOf(endpoint))) {
      it(place === '' ? 'in the body' : `in ${place}`, async () => {
        const before = await rowsOf(app, workspaceId);
        const full = JSON.stringify(
          over(example ?? {}, laid({ ...(samples[`${op} ${place}`] ?? samples[place]), [slot]: 0 })),
        );
        // Deeper down, what is worth it.
        const wanted = new Set(place === '' ? [...coveted, ...shown] : coveted);
        const queue = [...wanted].filter((name) => !known.has(name));
        assert.ok(queue.length > 15);
        await inParallel(atOnce, async () => {
          for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
            const value = name === '__proto__' ? { plan: 'pro' } : 'pro';
            const sent = full.replace(`"${slot}":0`, `${JSON.stringify(name)}:${JSON.stringify(value)}`);
            const reply = await by.send(method, url, sent);
            if (open.has(op)) assert.ok(reply.status < 500, reply.text);
            else assertRefusedByName(reply, name, sent);
          }
        });
        assert.deepEqual(await rowsOf(app, workspaceId), before);
      });
    }
  });
}

function assertRefusedByName(reply: Reply, name: string, sent: string): void {
  const item = reply.body.results?.[0];
  const { code, error } = item === undefined ? reply.body : (item.error ?? {});
  assert.equal(code, 'invalid_request', `${sent}: ${reply.text}`);
  assert.ok(error.includes(name), `${sent}: ${error}`);
}

it('no object of the service has got a property from all this', () => {
  assert.equal(({} as Json).plan, undefined);
});
