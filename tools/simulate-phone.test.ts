import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { SigningIdentity } from '../src/wallet/apple/certificates/certificates.ts';
import { loadOrCreateDevelopmentIdentity } from '../src/wallet/apple/certificates/development-ca.ts';
import { passTypeIdentifier, pem, teamIdentifier } from '../src/wallet/apple/certificates/signing.fixture.ts';
import { createSigner } from '../src/wallet/apple/signature.ts';
import { freePort } from '../test/service-process.ts';
import { makePass, PhoneService, tier } from './fakes/phone-service.fixture.ts';
import { drawCard } from './simulate-card-drawing.ts';
import { Simulation } from './simulation.fixture.ts';

const gold = { fields: [{ ...tier, value: 'Gold' }] };

describe('punchcard simulate phone', () => {
  const service = new PhoneService();
  let empty: string;
  let link: string;

  before(async () => {
    empty = await mkdtemp(join(tmpdir(), 'punchcard-simulate-'));
    await service.start();
    service.put(await makePass());
    link = `${service.url}/p/serial-1`;
  });
  afterEach(() => {
    Simulation.killAll();
  });
  after(async () => {
    await service.stop();
    await rm(empty, { recursive: true });
  });

  it('shows a card that changes, and says at its end how to take it off the device', async () => {
    service.put(await makePass());
    const simulation = new Simulation(empty, 'phone', '--link', link, '--poll', '1');
    await simulation.prints(/Silver/);
    service.put(await makePass(gold));
    await simulation.prints(/│ Gold /);
    assert.match(simulation.printed, /^\d\d:\d\d:\d\d {2}registered for updates \(201\)$/m);
    assert.match(simulation.printed, /field "Tier": Silver → Gold\n.*lock screen says "You are now Gold"/);
    assert.equal(await simulation.interrupt(), 0);
    const [, device = ''] = /--link \S+ --device (\w+) --remove/.exec(simulation.printed) ?? [];
    assert.ok(service.registrations.has(`${device} serial-1`));
    const removal = new Simulation(empty, 'phone', '--link', link, '--device', device, '--remove');
    assert.equal(await removal.ended(), 0, removal.complained);
    assert.equal(service.registrations.size, 0);
    assert.deepEqual(service.logs, []);
    assert.equal(simulation.complained, '');
  });

  it('keeps device and push token of one run in the next', async () => {
    for (const status of [201, 200]) {
      const simulation = new Simulation(
        empty,
        'phone',
        '--link',
        `${link}/`,
        '--poll',
        '60',
        '--device',
        'my-own-device',
      );
      await simulation.prints(new RegExp(`registered for updates \\(${status}\\)`));
      await simulation.interrupt();
    }
    assert.deepEqual([...service.registrations.keys()], ['my-own-device serial-1']);
    assert.deepEqual(service.logs, []);
    service.registrations.clear();
  });

  it('polls when it cannot be pushed, and says why', async () => {
    const simulation = new Simulation(empty, 'phone', '--link', link);
    await simulation.prints(
      /no pushes: there are no development certificates in .*; asks every 10 s instead/,
    );
    await simulation.prints(/Silver|Gold/);
  });

  it('says in one line what is wrong', async () => {
    const stranger = `http://127.0.0.1:${await freePort()}/p/serial-1`;
    const mistakes: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['--link', 'serial-1'], /--link must be the link of a card, such as/],
      [['--link', link, '--poll', '0'], /--poll must be a whole number from 1 to 86400, not "0"/],
      [['--link', link, '--apns-port', 'x'], /--apns-port must be a whole number/],
      [['--link', link, '--device', 'no/id'], /--device must have/],
      [['--link', link, '--remove'], /--remove needs --device/],
      [['--link', `${service.url}/p/nobody`, '--poll', '9'], /opens no card: .* erased\. Take links\.add/],
      [['--link', stranger, '--poll', '9'], /No service at http:\S+ \(connect ECONNREFUSED .*\)\. Start it/],
    ];
    const runs = mistakes.map(([args, says]) => ({
      simulation: new Simulation(empty, 'phone', ...args),
      says,
    }));
    for (const { simulation, says } of runs) {
      assert.equal(await simulation.ended(), 1);
      assert.match(simulation.complained, says);
      assert.match(simulation.complained, /^punchcard: [^\n]+\n$/);
    }
  });

  it('does not watch a card that can never change, nor one that it may not watch', async () => {
    service.put(await makePass({ webServiceURL: null }), 'silent');
    const silent = new Simulation(empty, 'phone', '--link', `${service.url}/p/silent`, '--poll', '9');
    assert.equal(await silent.ended(), 1);
    assert.match(silent.complained, /^punchcard: The card names no web service.*PUBLIC_URL.*\n$/);
    service.bends.registration = () => ({ status: 401 });
    const refused = new Simulation(empty, 'phone', '--link', link, '--poll', '9');
    assert.equal(await refused.ended(), 1);
    assert.match(refused.printed, /complains: a registration was answered with 401/);
    assert.match(refused.complained, /^punchcard: The service did not register the phone at https:.*\n$/);
    delete service.bends.registration;
  });
});

describe('punchcard simulate phone with the development certificates of the service', () => {
  const service = new PhoneService();
  let dataDir: string;
  let identity: SigningIdentity;
  let link: string;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'punchcard-simulate-'));
    identity = await loadOrCreateDevelopmentIdentity(join(dataDir, 'apple-development'), {
      passTypeIdentifier,
      teamIdentifier,
      organizationName: 'Example Ltd',
      now: new Date(),
    });
    await service.start();
    service.put(await makePass({}, createSigner(identity)));
    link = `${service.url}/p/serial-1`;
  });
  afterEach(() => {
    Simulation.killAll();
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true });
  });

  it('gets pushes from a sender with the certificate of the pass type', async () => {
    const port = await freePort();
    const simulation = new Simulation(dataDir, 'phone', '--link', link, '--apns-port', String(port));
    await simulation.prints(/waits for pushes at https:\/\/localhost:\d+\n(?:.*\n)*│ Silver /);
    service.put(await makePass(gold, createSigner(identity)));
    const [token = ''] = service.registrations.values();
    assert.equal(await push(port, token, identity), 200);
    await simulation.prints(/│ Gold /);
    assert.match(
      simulation.printed,
      /push received for pass\.com\.example\.validator\n.*asked for changes: 1/,
    );
    assert.equal(await push(port, 'ab'.repeat(32), identity), 200);
    await simulation.prints(/a push for another device came by/);
    assert.deepEqual(service.logs, []);
    assert.equal(await simulation.interrupt(), 0);
    service.registrations.clear();
  });

  it('polls when another program has the port', async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve));
    const address = occupant.address();
    assert.ok(address !== null && typeof address !== 'string');
    const simulation = new Simulation(dataDir, 'phone', '--link', link, '--apns-port', String(address.port));
    await simulation.prints(/no pushes: port \d+ is in use; asks every 10 s instead/);
    await simulation.prints(/│ TIER /);
    occupant.close();
  });

  it('names the folder whose certificates it cannot read', async () => {
    const damaged = join(dataDir, 'damaged');
    await mkdir(join(damaged, 'apple-development'), { recursive: true });
    const simulation = new Simulation(damaged, 'phone', '--link', link);
    assert.equal(await simulation.ended(), 1);
    assert.match(
      simulation.complained,
      /^punchcard: The development certificates in .*damaged.* Run this as .*\n$/,
    );
  });

  it('refuses a card of another service', async () => {
    service.put(await makePass(), 'foreign');
    const simulation = new Simulation(dataDir, 'phone', '--link', `${service.url}/p/foreign`, '--poll', '9');
    assert.equal(await simulation.ended(), 1);
    assert.match(
      simulation.complained,
      /^punchcard: .* not signed with the development certificates in DATA_DIR\..*\n$/,
    );
  });
});

describe('drawCard', () => {
  it('draws the face of a card in a frame, and lists its back', () => {
    const field = (key: string, value: string) => ({ key, label: key, value });
    const drawing = drawCard({
      organizationName: 'Blue Bean',
      barcodes: [{ format: 'PKBarcodeFormatQR', message: '4F7K-22', messageEncoding: 'utf-8' }],
      voided: true,
      storeCard: {
        headerFields: [field('Points', '120')],
        primaryFields: [field('Member', 'Ada Lovelace 🌱')],
        secondaryFields: [field('Tier', 'ゴールド'), field('Since', 'a very long time ago, they say')],
        backFields: [field('Terms', 'One card\nper person.\u001b[2J')],
      },
    });
    assert.equal(
      drawing,
      [
        '╭────────────────────────────────────────────────╮',
        '│ Blue Bean                           Points 120 │',
        '│                                                │',
        '│ MEMBER                                         │',
        '│ Ada Lovelace 🌱                                │',
        '│                                                │',
        '│ TIER                   SINCE                   │',
        '│ ゴールド               a very long time ago,…  │',
        '│                                                │',
        '│ [QR] 4F7K-22                                   │',
        '│                                                │',
        '│ *** VOID ***                                   │',
        '╰────────────────────────────────────────────────╯',
        '  Terms: One card per person. [2J',
      ].join('\n'),
    );
  });
});

/** Sends an empty push with the certificate of the pass; the status. */
async function push(port: number, token: string, identity: SigningIdentity): Promise<number> {
  const session = connect(`https://localhost:${port}`, {
    ca: identity.root?.toString() + identity.wwdr.toString(),
    cert: identity.certificate.toString(),
    key: pem(identity.privateKey),
  });
  const stream = session.request({
    ':method': 'POST',
    ':path': `/3/device/${token}`,
    'apns-topic': identity.passTypeIdentifier,
    'apns-push-type': 'background',
    'apns-priority': '5',
  });
  stream.end('{}');
  const [headers] = await once(stream, 'response');
  session.close();
  return headers[':status'];
}
