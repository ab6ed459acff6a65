import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json, type Reply } from '../../../test/client.ts';
import { inParallel, makeCard, makePass, tally } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/harness.ts';
import { assertInvariants } from '../../../test/invariants.ts';
import { validatePkpass } from '../../../tools/validator/validate-pkpass.ts';
import { readSerialNumber, serialNumberOf } from '../../cards/serial-number.ts';
import { walkRollouts } from '../walk-rollouts.job.ts';
import {
  auth,
  Device,
  deviceRow,
  type LockedCard,
  passJsonOf,
  takeCard,
  takeNewCards,
} from './device.fixture.ts';

const app = await startTestApp({ WORKERS: 'off' });
const passType = app.running.app.apple.passTypeIdentifier;
let client: Client;
let card: LockedCard;
let device: Device;
before(async () => {
  ({ client } = await app.newWorkspace('pro', 1_000));
});
beforeEach(async () => {
  [card] = await takeNewCards(app, client, 1);
  device = new Device(app);
});

let value = 0;
/** Changes what the card shows. */
async function change({ instanceId }: LockedCard, outcome = 'pushed'): Promise<void> {
  const fields = { tier: `Level ${++value}` };
  const { body } = await client.patch(`/instances/${instanceId}/fields`, { fields });
  assert.equal(body.pushSkipReason ?? 'pushed', outcome);
}

const unixTime = (date: string) => Date.parse(date) / 1_000;
const lastModified = (reply: Reply) => reply.headers.get('last-modified') ?? '';
const timeline = async ({ instanceId }: LockedCard) =>
  (await client.get(`/instances/${instanceId}/timeline`)).body.data as Json[];

describe('registering', () => {
  it('answers 201 the first time and 200 from then on', async () => {
    assert.equal((await device.register(card)).status, 201);
    assert.equal((await device.register(card)).status, 200);
    const shown = (await client.get(`/instances/${card.instanceId}`)).body;
    assert.deepEqual(shown.wallets, { apple: 1, google: 0, web: 0 });
    const installed = (await timeline(card)).filter(({ kind }) => kind === 'instance.installed');
    assert.deepEqual(
      installed.map(({ wallet }) => wallet),
      ['apple'],
    );
  });

  it('keeps the new push token of a device that registers again (bug 3)', async () => {
    await device.register(card);
    const before = (await deviceRow(app, device))?.push_token;
    device.pushToken = 'ab'.repeat(32);
    assert.equal((await device.register(card)).status, 200);
    assert.notEqual(before, device.pushToken);
    assert.equal((await deviceRow(app, device))?.push_token, device.pushToken);
  });

  it('pushes again to a push token that changes while a push is under way to the old one', async () => {
    await device.register(card);
    await change(card);
    const underWay = Number((await deviceRow(app, device))?.tag);
    device.pushToken = 'cd'.repeat(32);
    await device.register(card);
    assert.equal(Number((await deviceRow(app, device))?.tag), underWay + 1);
    await device.register(card);
    assert.equal(Number((await deviceRow(app, device))?.tag), underWay + 1, 'the same token is no news');
  });

  it('takes several devices with one push token (bug 4)', async () => {
    const other = new Device(app);
    other.pushToken = device.pushToken;
    assert.equal((await device.register(card)).status, 201);
    assert.equal((await other.register(card)).status, 201);
    assert.equal((await client.get(`/instances/${card.instanceId}`)).body.wallets.apple, 2);
  });

  it('takes a device that comes back with another library identifier', async () => {
    await device.register(card);
    const renamed = new Device(app);
    renamed.pushToken = device.pushToken;
    assert.equal((await renamed.register(card)).status, 201);
    await change(card);
    for (const known of [device, renamed])
      assert.deepEqual((await known.list()).body.serialNumbers, [card.serialNumber]);
    assert.equal((await device.unregister(card)).status, 200);
    assert.equal((await device.list()).status, 204);
    assert.deepEqual((await renamed.list()).body.serialNumbers, [card.serialNumber]);
  });

  it('reads a body leniently, but for the push token', async () => {
    const path = `/apple/v1/devices/${device.id}/registrations/${passType}/${card.serialNumber}`;
    const more = { pushToken: device.pushToken.toUpperCase(), deviceName: 'Phone', nested: { a: [1] } };
    assert.equal((await app.anyone.post(path, more, auth(card))).status, 201);
    assert.equal((await deviceRow(app, device))?.push_token, device.pushToken);
    for (const pushToken of ['', 'xyz', 'abc', 'ab', 'ab'.repeat(101), 5, null])
      assertRefused(await app.anyone.post(path, { pushToken }, auth(card)), 'invalid_request', /pushToken/);
    assertRefused(await app.anyone.post(path, {}, auth(card)), 'invalid_request', /pushToken/);
  });

  it('pushes at once where the card has changed since its file was handed out', async () => {
    await change(card, 'not_installed');
    assert.equal((await device.register(card)).status, 201);
    const row = await deviceRow(app, device);
    assert.ok(row?.due_at !== null, 'a push is due');
    const listed = await device.list(String(Number(row?.tag) - 1));
    assert.deepEqual(listed.body, { serialNumbers: [card.serialNumber], lastUpdated: String(row?.tag) });
    assert.equal((await device.fetch(card, card.lastModified)).status, 200);
  });

  it('pushes nothing where the file is the newest', async () => {
    await device.register(card);
    const row = await deviceRow(app, device);
    assert.equal(row?.due_at, null);
    assert.equal((await device.list(row?.tag)).status, 204);
  });

  it('knows what it has handed out by way of the web service too, and writes it once', async () => {
    await device.register(card);
    await change(card);
    const fresh = await device.fetch(card, card.lastModified);
    const served = () =>
      app.sql('select xmin::text, served_modified_at from instances where served_modified_at = $1', [
        new Date(lastModified(fresh)),
      ]);
    const [first] = await served();
    assert.ok(first !== undefined);
    await device.fetch(card);
    assert.deepEqual((await served())[0], first, 'written again for nothing');
    const other = new Device(app);
    await other.register(card);
    assert.equal((await deviceRow(app, other))?.due_at, null);
  });
});

describe('unregistering', () => {
  it('answers 200 also when there is nothing to end, and forgets a device without cards', async () => {
    assert.equal((await device.unregister(card)).status, 200);
    await device.register(card);
    assert.equal((await device.unregister(card)).status, 200);
    assert.equal((await device.unregister(card)).status, 200);
    assert.equal(await deviceRow(app, device), undefined);
    assert.deepEqual((await client.get(`/instances/${card.instanceId}`)).body.wallets.apple, 0);
    const kinds = (await timeline(card)).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 2), ['instance.removed', 'instance.installed']);
  });

  it('keeps a device that holds other cards', async () => {
    const [other] = await takeNewCards(app, client, 1);
    await device.register(card);
    await device.register(other);
    await device.unregister(card);
    assert.deepEqual((await device.list()).body.serialNumbers, [other.serialNumber]);
  });

  it('gives the credit of a push back when no device is left to get it', async () => {
    const second = new Device(app);
    await device.register(card);
    await second.register(card);
    const before = (await client.get('/credits')).body;
    await change(card);
    await device.unregister(card);
    assert.equal(
      (await client.get('/credits')).body.reserved,
      before.reserved + 1,
      'the other still gets it',
    );
    await second.unregister(card);
    const { balance, reserved } = (await client.get('/credits')).body;
    assert.deepEqual([balance, reserved], [before.balance, before.reserved]);
    const [failed] = (await timeline(card)).filter(({ kind }) => kind === 'push.failed');
    assert.deepEqual([failed.wallet, failed.reason], ['apple', 'removed']);
  });
});

describe('the token of a card', () => {
  it('opens that card only (bugs 5 and 22)', async () => {
    const [other] = await takeNewCards(app, client, 1);
    const strangers = (await app.newWorkspace()).client;
    const [foreign] = await takeNewCards(app, strangers, 1);
    const own = readSerialNumber(card.serialNumber);
    const theirs = readSerialNumber(foreign.serialNumber);
    assert.ok(own !== null && theirs !== null);
    const elsewhere = serialNumberOf({ ...own, workspaceId: theirs.workspaceId });
    const wrong: LockedCard[] = [
      { ...card, token: other.token },
      { ...card, token: foreign.token },
      { ...card, token: `${card.token}x` },
      { ...card, token: card.token.slice(1) },
      { ...card, token: '' },
      { ...card, serialNumber: other.serialNumber },
      { ...card, serialNumber: elsewhere },
      { ...card, serialNumber: card.serialNumber.toUpperCase() },
      { ...card, serialNumber: card.serialNumber.slice(1) },
      { ...card, serialNumber: 'serial-1' },
      {
        ...card,
        serialNumber: serialNumberOf({ workspaceId: own.workspaceId, instanceId: own.workspaceId }),
      },
    ];
    const bodies = new Set<string>();
    for (const held of wrong) {
      for (const reply of [
        await device.register(held),
        await device.unregister(held),
        await device.fetch(held),
      ]) {
        assertRefused(reply, 'invalid_pass_token');
        bodies.add(reply.body.error);
      }
    }
    assert.equal(bodies.size, 1, 'the answers differ');
    assert.equal(await deviceRow(app, device), undefined);
  });

  it('comes as ApplePass or WalletPass in any case, and in no other way', async () => {
    const path = `/apple/v1/passes/${passType}/${card.serialNumber}`;
    const send = (authorization: string) => app.anyone.get(path, { headers: { authorization } });
    for (const scheme of ['ApplePass', 'applepass', 'APPLEPASS', 'WalletPass', 'walletPass'])
      assert.equal((await send(`${scheme} ${card.token}`)).status, 200, scheme);
    for (const wrong of ['', card.token, `Bearer ${card.token}`, `ApplePass${card.token}`, 'ApplePass'])
      assertRefused(await send(wrong), 'invalid_pass_token');
    assertRefused(await app.anyone.get(path), 'invalid_pass_token');
    const otherType = `/apple/v1/passes/pass.com.example.other/${card.serialNumber}`;
    assertRefused(await app.anyone.get(otherType, auth(card)), 'invalid_pass_token');
  });

  it('and the serial number stay the same in every rebuild (bug 13)', async () => {
    await device.register(card);
    await change(card);
    await client.post(`/instances/${card.instanceId}/void`);
    const json = passJsonOf((await device.fetch(card)).body);
    assert.deepEqual([json.serialNumber, json.authenticationToken], [card.serialNumber, card.token]);
  });
});

describe('what changed?', () => {
  it('lists all cards without a tag, and names a tag as a string (bug 7)', async () => {
    const [second, third] = await takeNewCards(app, client, 2);
    for (const held of [card, second, third]) await device.register(held as LockedCard);
    const { status, body } = await device.list();
    assert.equal(status, 200);
    const serials = [card, second, third].map((held) => held?.serialNumber);
    assert.deepEqual(body.serialNumbers.toSorted(), serials.toSorted());
    assert.match(body.lastUpdated, /^\d+$/);
    assert.equal((await device.list(body.lastUpdated)).status, 204);
  });

  it('answers 204 without a body when there is nothing (bugs 7 and 17)', async () => {
    for (const reply of [await device.list(), await device.list('0'), await new Device(app).list('x')]) {
      assert.equal(reply.status, 204);
      assert.equal(reply.text, '');
      assert.equal(reply.headers.get('content-type'), null);
    }
  });

  it('lists only what has changed, only of this device, and never with the same tag (bug 1)', async () => {
    const [second] = await takeNewCards(app, client, 1);
    const neighbour = new Device(app);
    await device.register(card);
    await device.register(second);
    await neighbour.register(second);
    let tag = (await device.list()).body.lastUpdated;
    for (const changed of [card, second, card]) {
      await change(changed);
      const { body } = await device.list(tag);
      assert.deepEqual(body.serialNumbers, [changed.serialNumber]);
      assert.ok(BigInt(body.lastUpdated) > BigInt(tag));
      tag = body.lastUpdated;
    }
    assert.deepEqual((await neighbour.list()).body.serialNumbers, [second.serialNumber]);
    const otherType = await app.anyone.get(
      `/apple/v1/devices/${device.id}/registrations/pass.com.example.other`,
    );
    assert.equal(otherType.status, 204);
  });

  it('takes a tag that is none of ours for none', async () => {
    await device.register(card);
    const { lastUpdated } = (await device.list()).body;
    const ahead = String(Number(lastUpdated) + 1_000_000);
    const odd = ['', 'abc', '-1', '-9999999999999', '1,5', '1e3', 'null', '9'.repeat(30), '٣', ' ', ahead];
    for (const tag of odd) {
      const { status, body } = await device.list(tag);
      assert.equal(status, 200, JSON.stringify(tag));
      assert.deepEqual(body, { serialNumbers: [card.serialNumber], lastUpdated });
    }
    assert.equal((await device.list(`0${lastUpdated}`)).status, 204);
  });

  it('misses no change when the clock steps back (bug 1)', async () => {
    await device.register(card);
    let tag = (await device.list()).body.lastUpdated;
    let modified = card.lastModified;
    try {
      for (const step of [0, -3_600_000, -1_000]) {
        app.advance(step);
        await change(card);
        const { status, body } = await device.list(tag);
        assert.equal(status, 200);
        assert.ok(Number(body.lastUpdated) > Number(tag));
        tag = body.lastUpdated;
        const fresh = await device.fetch(card, modified);
        assert.equal(fresh.status, 200);
        modified = lastModified(fresh);
      }
      // Forgotten and back again, with a tag from the future.
      await device.unregister(card);
      await device.register(card);
      await change(card);
      assert.equal((await device.list(tag)).status, 200);
    } finally {
      app.advance(3_601_000);
    }
  });

  it('gives a device that comes back no smaller tag than it remembers', async () => {
    await device.register(card);
    const before = (await device.list()).body.lastUpdated;
    await device.unregister(card);
    await device.register(card);
    assert.ok(Number((await deviceRow(app, device))?.tag) >= Number(before));
  });

  it('loses none of fifty changes at once, whenever the device asks (bug 1)', async () => {
    const cards = await takeNewCards(app, client, 10);
    for (const held of cards) await device.register(held);
    const copies = new Map<string, Reply>();
    let tag = (await device.list()).body.lastUpdated;
    async function ask() {
      const { status, body } = await device.list(tag);
      if (status === 204) return;
      assert.ok(Number(body.lastUpdated) > Number(tag), `${body.lastUpdated} after ${tag}`);
      for (const serialNumber of body.serialNumbers) {
        const held = cards.find((one) => one.serialNumber === serialNumber);
        assert.ok(held !== undefined);
        const copy = copies.get(serialNumber);
        const fresh = await device.fetch(held, copy === undefined ? held.lastModified : lastModified(copy));
        // 304: another list came first.
        if (fresh.status === 200) copies.set(serialNumber, fresh);
      }
      tag = body.lastUpdated;
    }
    let isOver = false;
    const changes = inParallel(50, (at) => change(cards[at % cards.length] as LockedCard)).finally(() => {
      isOver = true;
    });
    while (!isOver) await ask();
    await changes;
    await ask();
    assert.equal((await device.list(tag)).status, 204);
    for (const held of cards) {
      const copy = copies.get(held.serialNumber);
      assert.ok(copy !== undefined);
      assert.deepEqual(passJsonOf(copy.body), passJsonOf((await device.fetch(held)).body), 'an old copy');
    }
  });

  it('lists a card once and pushes once, however many changed (bug 9)', async () => {
    const cards = await takeNewCards(app, client, 10);
    for (const held of cards) await device.register(held);
    const tag = (await device.list()).body.lastUpdated;
    for (const held of [...cards, ...cards]) await change(held);
    const { serialNumbers } = (await device.list(tag)).body;
    assert.deepEqual(tally(serialNumbers), Object.fromEntries(cards.map((held) => [held.serialNumber, 1])));
    assert.equal(
      (
        await app.sql('select from apple_devices where due_at is not null and push_token = $1', [
          device.pushToken,
        ])
      ).length,
      1,
    );
  });

  it('names no card that shows the same as before (bug 10)', async () => {
    await device.register(card);
    await change(card);
    const tag = (await device.list()).body.lastUpdated;
    const path = `/instances/${card.instanceId}`;
    const same = await client.patch(`${path}/fields`, { fields: { tier: `Level ${value}` } });
    assert.equal(same.body.pushSkipReason, 'unchanged');
    await client.patch(path, { metadata: { note: 'not shown' } });
    assert.equal((await device.list(tag)).status, 204);
  });

  it('hears of a new design on every card (bug 12)', async () => {
    const { passId } = await makePass(client);
    const held = await takeCard(app, await makeCard(client, passId));
    await device.register(held);
    const tag = (await device.list()).body.lastUpdated;
    await client.patch(`/passes/${passId}`, { details: 'Eleven stamps' });
    while (await walkRollouts({ app: app.running.app, requestId: 'test' }));
    assert.deepEqual((await device.list(tag)).body.serialNumbers, [held.serialNumber]);
    const fresh = await device.fetch(held, held.lastModified);
    assert.equal(fresh.status, 200);
    assert.ok(JSON.stringify(passJsonOf(fresh.body)).includes('Eleven stamps'));
  });
});

describe('the newest state of a card', () => {
  it('is a signed pass with the time of its last change (bug 2)', async () => {
    await device.register(card);
    await change(card);
    const first = await device.fetch(card, card.lastModified);
    assert.equal(first.headers.get('content-type'), 'application/vnd.apple.pkpass');
    const { root } = app.running.app.apple;
    assert.deepEqual(validatePkpass(first.body, { root, now: new Date() }), []);
    app.advance(5_000);
    const second = await device.fetch(card);
    app.advance(-5_000);
    assert.equal(lastModified(second), lastModified(first), 'the time of the answer, not of the change');
    assert.deepEqual(second.body, first.body, 'signed again for nothing (bug 8)');
  });

  it('is 304 without a body for a device that has it, by any HTTP-date and by nothing else (bugs 2 and 17)', async () => {
    const modified = card.lastModified;
    const later = new Date(Date.parse(modified) + 1_000).toUTCString();
    for (const since of [modified, later]) {
      const reply = await device.fetch(card, since);
      assert.equal(reply.status, 304);
      assert.equal(reply.text, '');
      assert.equal(lastModified(reply), modified);
    }
    const earlier = new Date(Date.parse(modified) - 1_000).toUTCString();
    const others = [earlier, String(unixTime(later)), '2999-01-01', 'tomorrow', '', `${later}, ${later}`];
    for (const since of others) assert.equal((await device.fetch(card, since)).status, 200, since);
  });

  it('differs in Last-Modified after two changes within one second (bug 1)', async () => {
    await device.register(card);
    app.advance(1_000);
    await change(card);
    const first = await device.fetch(card, card.lastModified);
    await change(card);
    const second = await device.fetch(card, lastModified(first));
    assert.equal(second.status, 200);
    assert.ok(unixTime(lastModified(second)) > unixTime(lastModified(first)));
    assert.equal((await device.fetch(card, lastModified(second))).status, 304);
  });

  it('is never compressed, and has proxies leave it alone (bug 17)', async () => {
    const response = await fetch(`${app.url}/apple/v1/passes/${passType}/${card.serialNumber}`, {
      headers: { ...auth(card).headers, 'accept-encoding': 'gzip, br, zstd' },
    });
    assert.equal(response.headers.get('content-encoding'), null);
    assert.match(response.headers.get('cache-control') ?? '', /no-transform/);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(response.headers.get('content-length'), String(bytes.length));
    assert.deepEqual(bytes, (await device.fetch(card)).body);
  });

  it('shows its device that it is void, and after an erasure nothing of the person', async () => {
    const { passId } = await makePass(client);
    const issued = await makeCard(client, passId, {
      holder: { identifier: 'ada-1', name: 'Ada Lovelace' },
      fields: { tier: 'Countess' },
    });
    const held = await takeCard(app, issued);
    await device.register(held);
    const tag = (await device.list()).body.lastUpdated;
    await client.delete(`/instances/${held.instanceId}`);
    assert.deepEqual((await device.list(tag)).body.serialNumbers, [held.serialNumber]);
    const fresh = await device.fetch(held, held.lastModified);
    assert.equal(fresh.status, 200);
    const json = passJsonOf(fresh.body);
    assert.equal(json.voided, true);
    assert.doesNotMatch(JSON.stringify(json), /Lovelace|Countess|ada-1/);
    assert.equal((await device.unregister(held)).status, 200);
  });
});

describe('the address of the service', () => {
  it('may end with a slash, or follow /v1', async () => {
    const rest = `passes/${passType}/${card.serialNumber}`;
    const at = async (path: string) => (await fetch(`${app.url}${path}`, auth(card))).status;
    for (const path of [
      `/apple//v1/${rest}`,
      `/apple/v1//${rest}`,
      `/apple///v1///${rest.replaceAll('/', '//')}`,
      `/v1/apple/v1/${rest}`,
      `/v1/apple//v1/${rest}`,
    ])
      assert.equal(await at(path), 200, path);
    assert.equal(await at(`//apple/v1/${rest}`), 404, 'only below /apple');
  });

  it('answers every error with the body of the contract, to browsers too', async () => {
    const headers = { accept: 'text/html' };
    const replies = [
      await app.anyone.get(`/apple/v1/passes/${passType}/x`, { headers }),
      await app.anyone.get('/apple/v1/nothing', { headers }),
      await app.anyone.post(`/apple/v1/passes/${passType}/x`, {}, { headers }),
      await app.anyone.post('/apple/v1/log', '{', { headers }),
    ];
    assert.deepEqual(
      replies.map(({ body }) => body.code),
      ['invalid_pass_token', 'route_not_found', 'method_not_allowed', 'invalid_request'],
    );
  });

  after(() => assertInvariants(app.sql));
});
