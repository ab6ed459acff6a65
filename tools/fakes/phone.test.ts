import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  leafKeys,
  makeLeaf,
  makeRoot,
  makeWwdr,
  passTypeIdentifier,
  root,
  teamIdentifier,
} from '../../src/wallet/apple/certificates/signing.fixture.ts';
import { createSigner } from '../../src/wallet/apple/signature.ts';
import { LinkUnusable, Phone, type PhoneOptions } from './phone.ts';
import type { ComplaintKind } from './phone-answers.ts';
import { PassRefused } from './phone-pass.ts';
import {
  type Answer,
  type Bend,
  jsonAnswer,
  makePass,
  PhoneService,
  publicUrl,
  tagOf,
  tier,
} from './phone-service.fixture.ts';

const silver = await makePass();
const gold = await makePass({ fields: [{ ...tier, value: 'Gold' }] });
const platinum = await makePass({ fields: [{ ...tier, value: 'Platinum' }] });
const second = await makePass({ serialNumber: 'serial-2', authenticationToken: 'token-of-serial-2' });
const link = `${publicUrl}/p/serial-1`;
const pastGraceMs = 301_000;

let service: PhoneService;
let phone: Phone;
let lines: string[];
let ahead = 0;

beforeEach(async () => {
  service = new PhoneService();
  await service.start();
  service.put(silver);
  ahead = 0;
  phone = newPhone();
});
afterEach(() => service.stop());

function newPhone(options: Partial<PhoneOptions> = {}): Phone {
  lines = [];
  return new Phone({
    root,
    log: (line) => lines.push(line),
    reach: (url) => url.replace(publicUrl, service.url),
    now: () => new Date(Date.now() + ahead),
    retryPausesMs: [],
    ...options,
  });
}

/** A phone with the card, its first look at the changes done, and nothing of that remembered. */
async function settle(): Promise<void> {
  await phone.add(link);
  await phone.pushed(passTypeIdentifier);
  ahead += pastGraceMs;
  service.take('GET', /./);
  lines.splice(0);
}

async function change(file: Buffer): Promise<void> {
  service.put(file);
  await phone.pushed(passTypeIdentifier);
}

function kinds(): ComplaintKind[] {
  return phone.complaints.map(({ kind }) => kind);
}

describe('a phone and a service that does everything right', () => {
  it('adds the card of a link and registers with the token of the card', async () => {
    const card = await phone.add(link);
    assert.equal(card.isRegistered, true);
    assert.equal(phone.shows('tier'), 'Silver');
    assert.equal(phone.shows('nothing of the kind'), null);
    const { deviceLibraryIdentifier: device, pushToken } = phone;
    const [request] = service.take('POST', /./);
    assert.equal(request?.url, `/apple/v1/devices/${device}/registrations/${passTypeIdentifier}/serial-1`);
    assert.equal(request.headers.authorization, 'ApplePass token-of-serial-1');
    assert.deepEqual(JSON.parse(request.body), { pushToken });
    assert.deepEqual(lines, [
      `added the card serial-1 of ${passTypeIdentifier}`,
      'registered for updates (201)',
    ]);
    assert.deepEqual(phone.complaints, []);
  });

  it('asks for changes on a push: without a tag at first, then with the last one, escaped', async () => {
    await phone.add(link);
    const path = `/apple/v1/devices/${phone.deviceLibraryIdentifier}/registrations/${passTypeIdentifier}`;
    await change(gold);
    await change(platinum);
    assert.deepEqual(
      service.take('GET', /devices/).map(({ url }) => url),
      [path, `${path}?passesUpdatedSince=${encodeURIComponent(tagOf(2))}`],
    );
    assert.equal(phone.shows('tier'), 'Platinum');
    assert.deepEqual(phone.complaints, []);
  });

  it('fetches what is listed, with the Last-Modified of its copy as it came', async () => {
    await phone.add(link);
    const downloaded = service.cards.get('serial-1')?.modified.toUTCString();
    await change(gold);
    const [request] = service.take('GET', /passes\//);
    assert.equal(request?.url, `/apple/v1/passes/${passTypeIdentifier}/serial-1`);
    assert.equal(request.headers['if-modified-since'], downloaded);
    assert.equal(request.headers.authorization, 'ApplePass token-of-serial-1');
    assert.equal(phone.card().lastModified, service.cards.get('serial-1')?.modified.toUTCString());
  });

  it('says what has changed, and what the lock screen shows', async () => {
    await settle();
    await change(gold);
    assert.deepEqual(lines, [
      `push received for ${passTypeIdentifier}`,
      `asked for changes since '${tagOf(1)}': 1, the tag is '${tagOf(2)}'`,
      'fetched serial-1: a new version',
      'field "Tier": Silver → Gold',
      'lock screen says "You are now Gold"',
    ]);
    assert.deepEqual(
      phone.notifications.map(({ serialNumber, text }) => [serialNumber, text]),
      [['serial-1', 'You are now Gold']],
    );
    assert.deepEqual(phone.complaints, []);
  });

  it('shows that a card is void, in silence', async () => {
    await settle();
    assert.equal(phone.voided(), false);
    await change(
      await makePass({ voided: true, colors: { background: '#000000', foreground: null, label: null } }),
    );
    assert.equal(phone.voided(), true);
    assert.deepEqual(lines.slice(3), [
      'the card is void',
      'also changed: backgroundColor, foregroundColor',
      'the lock screen says nothing',
    ]);
    assert.deepEqual(phone.notifications, []);
    assert.deepEqual(phone.complaints, []);
  });

  it('takes 204 and 304 without a word when it asks by itself, and registers a new push token', async () => {
    await settle();
    await phone.poll();
    await phone.refresh();
    await phone.changePushToken();
    const registered = service.registrations.get(`${phone.deviceLibraryIdentifier} serial-1`);
    assert.equal(registered, phone.pushToken);
    assert.deepEqual(lines, ['fetched serial-1: not modified', 'registered for updates (200)']);
    assert.deepEqual(phone.complaints, []);
  });

  it('registers everything under a new identifier, and asks for all of it', async () => {
    await settle();
    const before = phone.deviceLibraryIdentifier;
    await phone.changeDeviceId();
    assert.notEqual(phone.deviceLibraryIdentifier, before);
    assert.equal(service.registrations.get(`${phone.deviceLibraryIdentifier} serial-1`), phone.pushToken);
    await change(gold);
    assert.equal(phone.shows('tier'), 'Gold');
    assert.deepEqual(phone.complaints, []);
  });

  it('updates several cards by one push, and not those that are as they were', async () => {
    service.put(second, 'serial-2');
    await phone.add(link);
    await phone.add(`${publicUrl}/p/serial-2`);
    await settle();
    assert.throws(() => phone.shows('tier'), /the phone has 2 cards/);
    service.put(gold);
    service.put(
      await makePass({
        serialNumber: 'serial-2',
        authenticationToken: 'token-of-serial-2',
        fields: [{ ...tier, value: 'Bronze' }],
      }),
      'serial-2',
    );
    await phone.pushed(passTypeIdentifier);
    assert.deepEqual([phone.shows('tier', 'serial-1'), phone.shows('tier', 'serial-2')], ['Gold', 'Bronze']);
    assert.equal(service.take('GET', /devices/).length, 1);
    await change(platinum);
    assert.equal(service.take('GET', /passes\//).length, 1);
    assert.deepEqual(phone.complaints, []);
  });

  it('a card that is added later may be named by the next list although it is new', async () => {
    await settle();
    service.put(second, 'serial-2');
    await phone.add(`${publicUrl}/p/serial-2`);
    ahead += pastGraceMs;
    await change(gold);
    assert.ok(lines.includes('fetched serial-2: not modified'));
    assert.deepEqual(phone.complaints, []);
  });

  it('removes a card with its registration, and forgives a list that still has it for an hour', async () => {
    service.put(second, 'serial-2');
    await phone.add(`${publicUrl}/p/serial-2`);
    await settle();
    await phone.remove('serial-1');
    assert.deepEqual([...service.registrations.keys()], [`${phone.deviceLibraryIdentifier} serial-2`]);
    assert.deepEqual(
      phone.cards.map(({ identity }) => identity.serialNumber),
      ['serial-2'],
    );
    service.registrations.set(`${phone.deviceLibraryIdentifier} serial-1`, phone.pushToken);
    await change(gold);
    assert.deepEqual(phone.complaints, []);
    ahead += 3_600_000;
    await change(platinum);
    assert.deepEqual(kinds(), ['serial-unregistered']);
  });

  it('a phone out of a backup asks for what it has, and a device that is known may answer 200', async () => {
    const { identity } = await phone.add(link);
    const options = { deviceLibraryIdentifier: phone.deviceLibraryIdentifier, mayBeKnown: true };
    const restored = newPhone({ ...options, verify: false });
    restored.restore(identity);
    await restored.pushed(passTypeIdentifier);
    assert.equal(restored.shows('tier'), 'Silver');
    await newPhone(options).add(link);
    assert.deepEqual([...restored.complaints, ...phone.complaints], []);
    assert.deepEqual(service.logs, []);
  });
});

/** What each bent answer makes the phone complain about. */
const sins: readonly (readonly [
  sin: string,
  kind: ComplaintKind,
  says: RegExp,
  bends: PhoneService['bends'],
])[] = [
  ['no tag', 'tag-missing', /had 1 serial number but no lastUpdated tag/, { list: without('lastUpdated') }],
  [
    'a numeric tag',
    'tag-not-a-string',
    /the lastUpdated tag 1785542400,/,
    { list: json({ lastUpdated: 1785542400 }) },
  ],
  ['the tag that was sent', 'tag-unchanged', /tag stayed '#1 /, { list: json({ lastUpdated: tagOf(1) }) }],
  [
    'a list as text',
    'content-type',
    /came as text\/plain, not as application\/json/,
    { list: type('text/plain') },
  ],
  [
    'a list that is none',
    'list-unreadable',
    /array of serialNumbers/,
    { list: json({ serialNumbers: 'serial-1' }) },
  ],
  [
    'an unknown serial number',
    'serial-unregistered',
    /update to serial-9 was requested/,
    { list: json({ serialNumbers: ['serial-1', 'serial-9'] }) },
  ],
  ['no Last-Modified', 'last-modified-missing', /serial-1 came without/, { pass: headless('last-modified') }],
  ['a pass as a zip', 'content-type', /came as application\/zip/, { pass: type('application/zip') }],
  [
    'a broken pass',
    'pass-invalid',
    /serial-1 is refused: zip-unreadable/,
    { pass: body(Buffer.from('no zip')) },
  ],
  ['another serial number', 'serial-changed', /another pass, serial-2/, { pass: body(second) }],
  ['a refusal', 'status-unexpected', /serial-1 was answered with 401/, { pass: () => ({ status: 401 }) }],
  [
    'another token',
    'token-changed',
    /serial-1 has another authenticationToken/,
    { pass: body(await makePass({ authenticationToken: 'another-token-of-1' })) },
  ],
  [
    'the whole file where nothing has changed',
    'if-modified-since-ignored',
    /ignored for serial-1/,
    { pass: (right) => ({ ...right, body: silver }) },
  ],
  [
    'a 304 with a body',
    'body-unexpected',
    /a 304 came with a body of 4 bytes/,
    { list: (right) => right, pass: () => ({ status: 304, body: 'nope' }) },
  ],
];

describe('a phone complains', () => {
  for (const [sin, kind, says, bends] of sins) {
    it(`about ${sin}, and about nothing else`, async () => {
      await settle();
      Object.assign(service.bends, bends);
      // A 304 is right for a card that is not announced as changed.
      if (kind === 'body-unexpected') await phone.refresh();
      else await change(gold);
      await assertComplaint(kind, says);
    });
  }

  it('about 200 with an empty list where nothing has changed', async () => {
    await settle();
    service.bends.list = () => jsonAnswer({ serialNumbers: [], lastUpdated: tagOf(1) });
    await phone.poll();
    await assertComplaint('empty-list', /200 and no serial number; 204 says/);
  });

  it('about a 204 with a body', async () => {
    await settle();
    service.bends.list = () => ({ status: 204, body: '{}' });
    await phone.poll();
    await assertComplaint('body-unexpected', /a 204 came with a body of 2 bytes/);
  });

  it('about a push without a change, five minutes after the last change', async () => {
    await settle();
    await change(gold);
    await phone.pushed(passTypeIdentifier);
    ahead += 290_000;
    await phone.pushed(passTypeIdentifier);
    assert.deepEqual(phone.complaints, []);
    ahead += 11_000;
    await phone.pushed(passTypeIdentifier);
    await assertComplaint('spurious-push', /no serial number since '#2 /);
  });

  it('about a card that is announced as changed and is not', async () => {
    await settle();
    service.bends.list = () => jsonAnswer({ serialNumbers: ['serial-1'], lastUpdated: tagOf(7) });
    await phone.pushed(passTypeIdentifier);
    await assertComplaint('pass-unchanged', /update to serial-1 was requested, but the pass is unchanged/);
  });

  it('about a registration that is known where it is new, and new where it is known', async () => {
    service.bends.registration = () => ({ status: 200 });
    await phone.add(link);
    await assertComplaint('status-unexpected', /a registration was answered with 200; expected was 201/);
    service.bends.registration = () => ({ status: 201 });
    await phone.changePushToken();
    assert.match(phone.complaints.at(-1)?.text ?? '', /answered with 201; expected was 200/);
    service.bends.registration = () => ({ status: 404 });
    await phone.remove();
    assert.match(phone.complaints.at(-1)?.text ?? '', /end of a registration was answered with 404/);
    assert.equal(phone.complaints.length, 3);
  });

  it('about too many pushes too fast, and waits longer and longer', async () => {
    const waited: number[] = [];
    const start = Date.now();
    const now = () => new Date(start + ahead);
    phone = newPhone({ throttles: true, now, pause: async (ms) => void waited.push(ms) });
    await phone.add(link);
    for (let push = 0; push < 17; push++) {
      service.put(push % 2 === 0 ? gold : silver);
      await phone.pushed(passTypeIdentifier);
    }
    assert.deepEqual(new Set(kinds()), new Set(['too-many-pushes']));
    assert.match(
      phone.complaints[0]?.text ?? '',
      /too many pushes too fast for pass\..*: mild rate limiting, 120 s/,
    );
    assert.match(phone.complaints.at(-1)?.text ?? '', /asked to switch updates off/);
    assert.deepEqual([...new Set(waited)], [120_000, 600_000, 3_600_000]);
    ahead += 7_200_000;
    service.put(platinum);
    await phone.pushed(passTypeIdentifier);
    assert.equal(phone.complaints.length, 4);
    assert.equal(waited.length, 13);
  });
});

describe('a phone refuses', () => {
  it('a file that breaks the rules, and says which', async () => {
    const damaged = Buffer.from(silver);
    damaged.writeUInt8(damaged.readUInt8(60) ^ 1, 60);
    await assert.rejects(
      phone.add(damaged),
      (error) => error instanceof PassRefused && /zip-corrupt/.test(error.message),
    );
    await assert.rejects(newPhone({ verify: false }).add(Buffer.from('no')), /this is no pass file/);
  });

  it('a pass that another CA has issued', async () => {
    const stranger = makeRoot({ commonName: 'Another Root' });
    await assert.rejects(
      newPhone({ root: stranger }).add(silver),
      (error) => error instanceof PassRefused && error.rules.includes('root-mismatch'),
    );
  });

  it('no pass of a merchant whose certificate is of Apple', async () => {
    const apple = makeRoot({ commonName: 'Apple Root CA - G3', organization: 'Apple Inc.' });
    const wwdr = makeWwdr({ issuer: apple });
    const identity = { passTypeIdentifier, teamIdentifier, privateKey: leafKeys.privateKey, wwdr };
    const signer = createSigner({ ...identity, certificate: makeLeaf({ issuer: wwdr }) });
    const another = newPhone({ root: makeRoot({ commonName: 'Another Root' }) });
    await another.add(await makePass({}, signer));
  });

  it('a link that opens nothing, something else, or does not answer', async () => {
    const refused = (status: number | null, says: RegExp) => (error: unknown) =>
      error instanceof LinkUnusable && error.status === status && says.test(error.message);
    await assert.rejects(phone.add(`${publicUrl}/p/nobody`), refused(404, /answered with 404/));
    service.bends.link = type('text/html');
    await assert.rejects(phone.add(link), refused(200, /came as text\/html/));
    await service.stop();
    const elsewhere = newPhone({ reach: () => 'http://127.0.0.1:1/' });
    await assert.rejects(elsewhere.add(link), refused(null, /ECONNREFUSED/));
    await service.start();
  });
});

describe('a phone with a bad network', () => {
  it('tries again with growing pauses, then waits for the next push', async () => {
    const waited: number[] = [];
    phone = newPhone({ retryPausesMs: [1_000, 5_000], pause: async (ms) => void waited.push(ms) });
    await phone.add(link);
    await service.stop();
    service.put(gold);
    await phone.pushed(passTypeIdentifier);
    assert.deepEqual(waited, [1_000, 5_000]);
    assert.match(
      lines.at(-1) ?? '',
      /^asking for changes failed: .*ECONNREFUSED.*; gives up until the next push$/,
    );
    await service.start(service.port);
    await phone.pushed(passTypeIdentifier);
    assert.equal(phone.shows('tier'), 'Gold');
    assert.deepEqual(phone.complaints, []);
  });

  it('fetches later what was listed and did not come', async () => {
    await settle();
    service.bends.pass = () => ({ status: 503 });
    await change(gold);
    assert.deepEqual(kinds(), ['status-unexpected']);
    delete service.bends.pass;
    await phone.poll();
    assert.equal(phone.shows('tier'), 'Gold');
    assert.equal(phone.complaints.length, 1);
  });

  it('gets one of the pushes that came while it was offline', async () => {
    await settle();
    phone.offline();
    await change(gold);
    await change(platinum);
    assert.equal(phone.shows('tier'), 'Silver');
    await phone.online();
    assert.equal(phone.shows('tier'), 'Platinum');
    assert.equal(lines.filter((line) => line.startsWith('push received')).length, 1);
    assert.equal(service.take('GET', /devices/).length, 1);
  });

  it('finishes what going offline has cut, a pause included', async () => {
    phone = newPhone({ retryPausesMs: [60_000] });
    await settle();
    service.bends.list = () => ({ status: 503 });
    service.put(gold);
    const pushed = phone.pushed(passTypeIdentifier);
    while (!lines.some((line) => line.endsWith('tries again in 60 s'))) await new Promise(setImmediate);
    phone.offline();
    await pushed;
    assert.equal(phone.shows('tier'), 'Silver');
    delete service.bends.list;
    await phone.online();
    assert.equal(phone.shows('tier'), 'Gold');
    assert.deepEqual(phone.complaints, []);
  });

  it('shares one look between the pushes that come during another', async () => {
    await settle();
    service.put(gold);
    await Promise.all(Array.from({ length: 5 }, () => phone.pushed(passTypeIdentifier)));
    assert.equal(service.take('GET', /devices/).length, 1);
    await Promise.all([phone.pushed(passTypeIdentifier), phone.poll()]);
    assert.deepEqual(phone.complaints, []);
  });
});

/** One complaint of this kind, posted to the service's log as well. */
async function assertComplaint(kind: ComplaintKind, says: RegExp): Promise<void> {
  assert.deepEqual(kinds(), [kind], phone.complaints.map(({ text }) => text).join('\n'));
  assert.match(phone.complaints[0]?.text ?? '', says);
  assert.equal(service.logs.length, 1);
  assert.match(service.logs[0] ?? '', says);
  assert.match(
    service.logs[0] ?? '',
    new RegExp(`^\\[20.*Z\\] Web service error for ${passTypeIdentifier} `),
  );
}

function json(changes: Record<string, unknown>): Bend {
  return ({ body, ...right }: Answer) => ({
    ...right,
    body: JSON.stringify({ ...JSON.parse(String(body)), ...changes }),
  });
}

function without(key: string): Bend {
  return json({ [key]: undefined });
}

function headless(name: string): Bend {
  return ({ headers = {}, ...right }) => {
    const others = Object.entries(headers).filter(([other]) => other !== name);
    return { ...right, headers: Object.fromEntries(others) };
  };
}

function type(mediaType: string): Bend {
  return (right) => ({ ...right, headers: { ...right.headers, 'content-type': mediaType } });
}

function body(bytes: Buffer): Bend {
  return (right) => ({ ...right, body: bytes });
}
