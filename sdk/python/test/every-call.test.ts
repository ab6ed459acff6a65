import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { currentModel } from '../../../scripts/clients/current-model.ts';
import type { Type } from '../../../scripts/clients/model.ts';
import { argumentsOf } from '../../../scripts/clients/python/write-resources.ts';
import { startTestApp } from '../../../test/harness.ts';
import { snakeCase } from '../../../tools/docs-site/samples/python.ts';
import { FaultProxy } from '../../../tools/fakes/fault-proxy.ts';
import { type PythonCall, startCaller } from './caller.ts';
import { installClient, needsPython } from './python.ts';

const model = currentModel();
const methods = model.resources.flatMap((resource) => resource.methods);

/** A service that answers every request with as much as a client needs, and keeps what it was sent. */
async function startRecorder() {
  const sent: { request: IncomingMessage; body: string }[] = [];
  const server = createServer(async (request, response) => {
    sent.push({ request, body: await text(request) });
    const isFile = /\.(csv|svg|png)|format=csv/.test(request.url ?? '');
    response.setHeader('content-type', isFile ? 'text/csv' : 'application/json');
    response.end(isFile ? 'a,b' : '{"data":[],"nextCursor":null}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Placeholders for certificates and keys, which no page shows. */
const elided = new Set(['wallets.setApple', 'wallets.setGoogle']);

describe('the Python client', needsPython, async () => {
  const python = await installClient();
  const app = await startTestApp({ WORKERS: 'off' });
  // The examples are of that winter.
  app.stopClock(Date.parse('2027-02-01T12:00:00Z'));
  const recorder = await startRecorder();

  it('has no file of a resource that the API no longer has', () => {
    const printed = model.resources.map(({ name }) => `${snakeCase(name)}.py`);
    const there = readdirSync(new URL('../punchcard/resources', import.meta.url));
    assert.deepEqual(there.filter((name) => name.endsWith('.py')).sort(), [...printed, '__init__.py'].sort());
  });

  for (const kind of ['sync', 'async'] as const) {
    it(`sends every argument of every call under its name (${kind})`, async () => {
      const caller = startCaller(python, kind, recorder.url, 'sk_secret');
      for (const method of methods) {
        for (const useFile of method.body?.file != null && method.body.json !== null
          ? [false, true]
          : [false]) {
          const args = argumentsOf(model, method).filter(
            ({ place }) => place === 'query' || method.body?.json === null || (place === 'file') === useFile,
          );
          const values = Object.fromEntries(
            args.map(({ name, place, types }) => [name, place === 'file' ? 'a\nb\n' : sampleOf(types[0])]),
          );
          const path = method.pathParams.map(({ name }) => `a ${name}/ß`);
          recorder.sent.length = 0;
          const call = `${method.resource}.${method.name}`;
          const [outcome] = await caller.make({ call, path, named: values });
          assert.equal(outcome.error, undefined, call);
          const [{ request, body } = assert.fail(`${call} sent nothing`)] = recorder.sent;
          const url = new URL(request.url ?? '', recorder.url);
          assert.equal(request.method, method.httpMethod, call);
          const filled = method.pathParams.reduce(
            (text, { name }) => text.replace(`{${name}}`, encodeURIComponent(`a ${name}/ß`)),
            method.path,
          );
          assert.equal(url.pathname, `/v1${filled}`, call);
          const inQuery = args.filter(({ place }) => place === 'query').map(({ name }) => name);
          assert.deepEqual(
            Object.fromEntries(url.searchParams),
            {
              ...method.fixedQuery,
              ...Object.fromEntries(inQuery.map((name) => [name, String(values[name])])),
            },
            call,
          );
          const isFile = args.some(({ place }) => place === 'file');
          const inBody = args.filter(({ place }) => place === 'body').map(({ name }) => [name, values[name]]);
          const type = request.headers['content-type'];
          if (isFile) assert.deepEqual([type, body], [method.body?.file, 'a\nb\n'], call);
          else if (method.body === null) assert.equal(body, '', call);
          else assert.deepEqual(JSON.parse(body), Object.fromEntries(inBody), call);
          assert.equal(typeof request.headers['idempotency-key'] === 'string', method.key === 'header', call);
          const token = method.credential === 'operator' ? undefined : 'Bearer sk_secret';
          assert.equal(request.headers.authorization, token, call);
        }
      }
    });

    it(`makes the example of every call of the reference (${kind})`, async () => {
      const proxy = await FaultProxy.start(app.url);
      after(() => proxy.close());
      const { client } = await app.newWorkspace();
      const caller = startCaller(python, kind, proxy.url, client.secret ?? '', app.operator.secret ?? '');
      for (const method of methods) {
        const required = argumentsOf(model, method).filter(
          ({ place, isRequired }) => place === 'query' && isRequired,
        );
        const query = Object.fromEntries(required.map(({ name, types }) => [name, sampleOf(types[0])]));
        const files = argumentsOf(model, method).filter(({ place }) => place === 'file');
        const named = files.map(({ name }) => [name, 'identifier,balance\n'] as const);
        const file = method.body?.json === null ? Object.fromEntries(named) : {};
        const call: PythonCall = {
          call: `${method.resource}.${method.name}`,
          path: method.pathParams.map(({ name }) => `${name}_of_nobody`),
          named: { ...(method.example as object | undefined), ...query, ...file },
        };
        proxy.arrivals.length = 0;
        const [outcome] = await caller.make(call);
        const about = `${call.call}: ${JSON.stringify(outcome)}`;
        assert.equal(proxy.arrivals.length, 1, about);
        if (outcome.code !== undefined) {
          assert.ok(method.errors.includes(outcome.code), about);
          if (method.example !== undefined && !elided.has(call.call))
            assert.notEqual(outcome.code, 'invalid_request', about);
        } else
          assert.ok(
            method.answers.some(({ status }) => status === outcome.status),
            about,
          );
        if (method.example !== undefined) {
          const { externalRef, ...sent } = JSON.parse(proxy.arrivals[0]?.body ?? '');
          const { externalRef: shown = externalRef, ...example } = method.example as { externalRef?: string };
          assert.deepEqual([sent, externalRef], [example, shown], about);
          assert.equal(typeof externalRef === 'string', ['externalRef', 'given'].includes(method.key), about);
        }
      }
    });
  }
});

/** A value that the type allows, as JSON. */
function sampleOf(type: Type | undefined): unknown {
  switch (type?.kind) {
    case 'integer':
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'literal':
      return type.values[0];
    case 'array':
      return [sampleOf(type.items)];
    case 'map':
      return { 'A name': sampleOf(type.values) };
    case 'nullable':
      return null;
    case 'ref': {
      const named = model.types.find(({ name }) => name === type.name)?.type;
      return named?.kind === 'literal' ? sampleOf(named) : { some: 'thing' };
    }
    case 'object':
    case 'union':
      return { some: 'thing' };
    default:
      return 'ä text & more';
  }
}
