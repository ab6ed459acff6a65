import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { type FakeApns, startFakeApns } from '../../../tools/fakes/apns.ts';
import { issueServerCertificate } from '../../../tools/fakes/authority.ts';
import { authority, logged, openApns, startApns, tokenOf, tokens, until } from './apns.fixture.ts';
import type { ApnsResult } from './apns-push.ts';
import {
  leaf,
  leafKeys,
  makeRoot,
  passTypeIdentifier,
  pem,
  root,
  wwdr,
} from './certificates/signing.fixture.ts';

after(() => {
  assert.ok(logged.length > 0);
  assert.doesNotMatch(JSON.stringify(logged), /[0-9a-f]{16}/, 'no push token is logged');
});

/** Short, so that tests need not wait; each still far longer than what is measured with it. */
const times = { firstPauseMs: 20, mostPauseMs: 80, sweepMs: 5 };

function count(results: readonly ApnsResult[], kind: ApnsResult['kind']): number {
  return results.filter((result) => result.kind === kind).length;
}

function reasonsOf(results: readonly ApnsResult[]): string[] {
  return [...new Set(results.map((result) => (result.kind === 'accepted' ? 'accepted' : result.reason)))];
}

/** How often each of the first devices was reached; one text, so that a difference is easy to see. */
function reached(fake: FakeApns, devices: number): string {
  return [...new Set(tokens(devices).map((token) => `${fake.deliveriesTo(token)}×`))].join(' ');
}

function pushAll(apns: { push(token: string): Promise<ApnsResult> }, devices: number): Promise<ApnsResult[]> {
  return Promise.all(tokens(devices).map((token) => apns.push(token)));
}

describe('GOAWAY', () => {
  it('in the middle of 2,000 pushes loses none and doubles none', async (t) => {
    const fake = await startApns(t, { maxStreams: 100 });
    const apns = openApns(t, { url: fake.url });
    fake.goawayEvery = 700;
    const results = await pushAll(apns, 2_000);
    assert.equal(count(results, 'accepted'), 2_000);
    assert.equal(reached(fake, 2_000), '1×');
    assert.deepEqual([fake.connections, fake.pushes], [3, 2_000]);
    const logged = apns.lines.map(({ level, fields }) => [level, fields]);
    assert.deepEqual(logged, Array(2).fill(['info', { reason: 'Shutdown' }]));
  });

  it('lets what was taken be answered on the old connection, and moves on to another', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    fake.delayMs = 2_000;
    const old = pushAll(apns, 10);
    await until('they are in flight', () => fake.pushes === 10);
    fake.delayMs = 0;
    fake.goaway();
    await until('it is logged', () => apns.lines.length === 1);
    assert.deepEqual(await apns.push(tokenOf(11)), { kind: 'accepted' });
    assert.deepEqual([fake.connections, fake.openConnections], [2, 2]);
    assert.equal(count(await old, 'accepted'), 10);
    await until('the old connection is gone', () => fake.openConnections === 1);
    assert.equal(reached(fake, 10), '1×');
    assert.equal(apns.pausedUntil, null);
  });

  it('is heeded once for each push: then it is for later', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times });
    fake.goawayEvery = 1;
    const results = await pushAll(apns, 20);
    assert.deepEqual(reasonsOf(results).toSorted(), ['Shutdown', 'accepted']);
    assert.deepEqual([count(results, 'accepted'), fake.delivered, fake.connections], [2, 2, 2]);
  });

  it('before anything was taken is a failure, so that the service does not try for ever', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    fake.goawayEvery = 0;
    const results = await pushAll(apns, 50);
    assert.deepEqual(reasonsOf(results), ['Shutdown']);
    assert.ok(apns.pausedUntil !== null);
    assert.deepEqual([fake.connections, fake.pushes], [1, 0]);
  });

  it('with an error ends the connection, and what was in flight is for later', async (t) => {
    const fake = await startApns(t, { maxStreams: 10 });
    const apns = openApns(t, { url: fake.url });
    fake.script({ silence: true }, { times: 5 });
    const asked = pushAll(apns, 5);
    await until('they are in flight', () => fake.pushes === 5);
    fake.goaway('BadCertificate', constants.NGHTTP2_ENHANCE_YOUR_CALM);
    assert.deepEqual(reasonsOf(await asked), ['BadCertificate']);
    assert.ok(apns.pausedUntil !== null);
  });
});

describe('a stream that is reset', () => {
  it('is repeated once when APNs did not look at it', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    fake.script({ reset: constants.NGHTTP2_REFUSED_STREAM }, { times: 1 });
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'accepted' });
    fake.script({ reset: constants.NGHTTP2_REFUSED_STREAM }, { times: 2 });
    assert.deepEqual(await apns.push(tokenOf(2)), { kind: 'later', reason: 'RefusedStream', afterMs: 1_000 });
    assert.deepEqual([fake.connections, fake.pushes, apns.pausedUntil], [1, 4, null]);
  });

  it('is for later when the outcome is unknown', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    fake.script({ reset: constants.NGHTTP2_INTERNAL_ERROR }, { token: tokenOf(1) });
    const results = await pushAll(apns, 3);
    assert.deepEqual(reasonsOf(results), ['accepted', 'Reset2']);
    assert.deepEqual([fake.connections, fake.pushes], [1, 3]);
  });
});

describe('an answer that is cut off', () => {
  it('is none: the device is not forgotten because of half a 410', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url });
    fake.script({ status: 410, reason: 'Unregistered', timestamp: new Date(), isCutOff: true });
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'later', reason: 'Reset2', afterMs: 1_000 });
  });
});

describe('a connection that is lost', () => {
  it('answers what was in flight or waited with later, and comes back after a pause', async (t) => {
    const fake = await startApns(t, { maxStreams: 50 });
    const apns = openApns(t, { url: fake.url, times: { firstPauseMs: 400 } });
    await apns.push(tokenOf(0));
    fake.script({ drop: 'request' }, { token: tokenOf(120) });
    const results = await pushAll(apns, 300);
    assert.ok(count(results, 'accepted') < 200);
    assert.equal(count(results, 'accepted') + count(results, 'later'), 300);
    assert.ok(apns.pausedUntil !== null);
    assert.deepEqual(
      apns.lines.map(({ level }) => level),
      ['warn'],
    );
    await until('the pause is over', () => apns.pausedUntil === null);
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'accepted' });
    assert.equal(fake.connections, 2);
    assert.deepEqual(
      apns.lines.map(({ level }) => level),
      ['warn', 'info'],
    );
  });

  it('leaves nothing undone but what it says: the device may have been reached', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times });
    fake.script({ drop: 'reply' }, { times: 1 });
    const result = await apns.push(tokenOf(1));
    assert.equal(result.kind, 'later');
    assert.equal(fake.deliveriesTo(tokenOf(1)), 1);
  });

  it('while it was idle costs nothing: the next push makes another', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times });
    await apns.push(tokenOf(1));
    fake.dropConnections();
    await until('it is gone', () => fake.openConnections === 0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(apns.pausedUntil, null);
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'accepted' });
    assert.deepEqual([fake.connections, apns.lines.length], [2, 0]);
  });
});

describe('a connection that is not ready', () => {
  it('carries no push: how many are allowed is not known before the first SETTINGS', async (t) => {
    const received: Buffer[] = [];
    const options = { ...issueServerCertificate(authority), ALPNProtocols: ['h2'] };
    const server = createTlsServer(options, (socket) => {
      socket.on('data', (chunk) => received.push(chunk));
      socket.on('error', () => undefined);
      t.after(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const apns = openApns(t, {
      url: `https://localhost:${address.port}`,
      times: { ...times, connectMs: 300 },
    });
    assert.deepEqual(reasonsOf(await pushAll(apns, 50)), ['ConnectTimeout']);
    assert.deepEqual(frameTypes(Buffer.concat(received)), [4], 'its own SETTINGS, and no HEADERS');
  });
});

describe('a black hole', () => {
  it('is noticed by a PING while pushes are in flight', async (t) => {
    const fake = await startApns(t, { maxStreams: 20 });
    const apns = openApns(t, { url: fake.url, times: { ...times, busyPingMs: 40, pingMs: 60 } });
    await apns.push(tokenOf(0));
    fake.isSilent = true;
    const start = performance.now();
    const results = await pushAll(apns, 100);
    const tookMs = performance.now() - start;
    assert.deepEqual([count(results, 'later'), reasonsOf(results)], [100, ['NoPingAnswer']]);
    assert.ok(tookMs >= 95 && tookMs < 2_000, `${tookMs} ms`);
    fake.isSilent = false;
    await until('the pause is over', () => apns.pausedUntil === null);
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'accepted' });
  });

  it('is noticed by a PING while nothing is in flight, before the next push falls into it', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times: { ...times, idlePingMs: 40, pingMs: 60 } });
    await apns.push(tokenOf(0));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual([fake.connections, fake.openConnections], [1, 1], 'a PING that is answered keeps it');
    fake.isSilent = true;
    // In steps: the client counts its sweeps, and none is made up for that a busy machine lets slip.
    for (let turn = 0; turn < 60; turn++) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(apns.pausedUntil, null);
    const next = apns.push(tokenOf(1));
    await until('another connection is made', () => fake.connections === 2);
    fake.isSilent = false;
    assert.deepEqual(await next, { kind: 'accepted' });
  });

  it('behind a connection that is never made is given up', async (t) => {
    const fake = await startApns(t);
    const apns = openApns(t, { url: fake.url, times: { ...times, connectMs: 60 } });
    fake.isSilent = true;
    const results = await pushAll(apns, 200);
    assert.deepEqual(reasonsOf(results), ['ConnectTimeout']);
    assert.equal(fake.connections, 1);
  });

  it('of one push is no black hole: it is for later, and the others go on', async (t) => {
    const fake = await startApns(t, { maxStreams: 2 });
    const apns = openApns(t, {
      url: fake.url,
      times: { ...times, answerMs: 60, busyPingMs: 20, pingMs: 5_000 },
    });
    fake.script({ silence: true }, { times: 2 });
    assert.deepEqual(reasonsOf(await pushAll(apns, 2)), ['NoAnswer']);
    // The server takes a moment to notice that the streams are given up.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(count(await pushAll(apns, 10), 'accepted'), 10);
    assert.deepEqual([fake.connections, fake.peakStreams, apns.lines], [1, 2, []]);
  });

  it('is also a server that allows no stream at all', async (t) => {
    const fake = await startApns(t, { maxStreams: 0 });
    const apns = openApns(t, { url: fake.url, times: { answerMs: 60, sweepMs: 5 } });
    assert.deepEqual(reasonsOf(await pushAll(apns, 10)), ['NoStreams']);
    assert.ok(apns.pausedUntil !== null);
  });
});

describe('a server that cannot be reached', () => {
  it('is left alone for longer and longer, while pushes are answered at once', async (t) => {
    const port = await unusedPort();
    const pauses = { firstPauseMs: 150, mostPauseMs: 600 };
    const apns = openApns(t, { url: `https://localhost:${port}`, times: pauses });
    for (let attempt = 0; attempt < 4; attempt++) {
      assert.deepEqual(reasonsOf(await pushAll(apns, 50)), ['ECONNREFUSED']);
      const paused = apns.pausedUntil;
      assert.ok(paused !== null && paused > performance.now());
      const [next] = await pushAll(apns, 100);
      assert.ok(
        next?.kind === 'later' && next.reason === 'Paused' && next.afterMs > 0 && next.afterMs <= 600,
      );
      assert.equal(apns.pausedUntil, paused);
      await until('the pause is over', () => apns.pausedUntil === null);
    }
    const [first = 0, ...others] = apns.lines.map(({ fields }) => Number(fields.pauseMs));
    assert.ok(first > 140 && first <= 300, `first ${first} ms`);
    assert.equal(others.length, 3);
    assert.ok(
      others.every((pause) => pause > 290 && pause <= 600),
      `then ${others.join()} ms`,
    );
  });

  it('is found again when it is back', async (t) => {
    const port = await unusedPort();
    const apns = openApns(t, { url: `https://localhost:${port}`, times });
    assert.equal((await apns.push(tokenOf(1))).kind, 'later');
    const fake = await startApns(t, { port });
    await until('the pause is over', () => apns.pausedUntil === null);
    assert.equal(count(await pushAll(apns, 500), 'accepted'), 500);
    assert.equal(fake.connections, 1);
    assert.deepEqual(
      apns.lines.map(({ level, message }) => [level, message]),
      [
        ['warn', 'APNs cannot be reached: pushes wait'],
        ['info', 'APNs can be reached again'],
      ],
    );
  });

  it('is not held to account for old failures once it has answered', async (t) => {
    const port = await unusedPort();
    const apns = openApns(t, { url: `https://localhost:${port}`, times: { ...times, mostPauseMs: 60_000 } });
    for (let attempt = 0; attempt < 4; attempt++) {
      await apns.push(tokenOf(1));
      await until('the pause is over', () => apns.pausedUntil === null);
    }
    const fake = await startApns(t, { port });
    assert.deepEqual(await apns.push(tokenOf(1)), { kind: 'accepted' });
    fake.script({ drop: 'request' }, { times: 1 });
    await apns.push(tokenOf(1));
    const pauses = apns.lines
      .filter(({ level }) => level === 'warn')
      .map(({ fields }) => Number(fields.pauseMs));
    assert.equal(pauses.length, 5);
    assert.ok((pauses[3] ?? 0) > 150 && (pauses[4] ?? 99) <= 40, `pauses ${pauses.join()} ms`);
  });

  it('may be one that speaks something else', async (t) => {
    const server = createServer((socket) => socket.end('220 smtp.example.com\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const apns = openApns(t, { url: `https://localhost:${address.port}` });
    assert.deepEqual((await apns.push(tokenOf(1))).kind, 'later');
    assert.ok(apns.pausedUntil !== null);
  });

  it('may be one of HTTP/1 only', async (t) => {
    const server = createTlsServer(issueServerCertificate(authority), (socket) => {
      socket.on('error', () => undefined);
      t.after(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const apns = openApns(t, { url: `https://localhost:${address.port}` });
    assert.deepEqual(reasonsOf(await pushAll(apns, 3)), ['NoHttp2']);
  });
});

describe('TLS', () => {
  it('with an alert about our certificate is a matter of configuration', async (t) => {
    const port = await startStrictServer(t, makeRoot({ commonName: 'Another Root' }).toString());
    const apns = openApns(t, { url: `https://localhost:${port}`, times: { ...times, connectMs: 60_000 } });
    const result = await apns.push(tokenOf(1));
    assert.equal(result.kind, 'misconfigured', JSON.stringify(result));
    assert.match(result.kind === 'misconfigured' ? result.reason : '', /^ERR_SSL_.*ALERT_UNKNOWN_CA$/);
  });

  it('trusts what NODE_EXTRA_CA_CERTS names, also together with an authority that is given', async (t) => {
    const fake = await startApns(t);
    const folder = await mkdtemp(join(tmpdir(), 'punchcard-apns-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const extra = join(folder, 'extra.pem');
    await writeFile(extra, authority.certificate.toString());
    const script = `
      import { createPrivateKey, X509Certificate } from 'node:crypto';
      import { createApns } from ${JSON.stringify(import.meta.resolve('./apns.client.ts'))};
      const { cert, wwdr, key, topic, url, token, ca } = JSON.parse(process.argv[1]);
      const identity = {
        certificate: new X509Certificate(cert), wwdr: new X509Certificate(wwdr), privateKey: createPrivateKey(key),
      };
      const log = { info() {}, warn() {} };
      for (const options of [{}, { ca }]) {
        const apns = createApns({ url, topic, identity, log, ...options });
        console.log((await apns.push(token)).kind);
        await apns.close();
      }
    `;
    const input = {
      url: fake.url,
      topic: passTypeIdentifier,
      token: tokenOf(1),
      cert: leaf.toString(),
      wwdr: wwdr.toString(),
      key: pem(leafKeys.privateKey),
      ca: makeRoot({ commonName: 'Another Root' }).toString(),
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, JSON.stringify(input)],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: extra } },
    );
    assert.equal(stdout, 'accepted\naccepted\n');
  });
});

/** The types of the frames that a client sends after its preface (RFC 9113 §3.4, §4.1), each once. */
function frameTypes(sent: Buffer): number[] {
  const types = new Set<number>();
  for (let at = 24; at + 9 <= sent.length; at += 9 + sent.readUIntBE(at, 3))
    types.add(sent.readUInt8(at + 3));
  return [...types].toSorted((a, b) => a - b);
}

/** A port of this machine where no server listens. */
async function unusedPort(): Promise<number> {
  const fake = await startFakeApns({ authority, clientAuthorities: [root] });
  await fake.close();
  return fake.port;
}

/** OpenSSL's own server, which refuses a certificate within the handshake, as Apple does. Node's cannot. */
async function startStrictServer(t: TestContext, clientAuthority: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'punchcard-apns-'));
  const port = await unusedPort();
  const { cert, key } = issueServerCertificate(authority);
  await writeFile(join(folder, 'server.pem'), cert + key);
  await writeFile(join(folder, 'ca.pem'), clientAuthority);
  const args = `s_server -accept ${port} -cert server.pem -CAfile ca.pem -Verify 1 -verify_return_error -alpn h2`;
  const child = spawn('openssl', args.split(' '), { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  t.after(async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await until('the server listens', () => output.includes('ACCEPT'));
  return port;
}
