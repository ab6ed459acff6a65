import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Client } from './client.ts';

let asked = 0;
let refusals = 0;

const server = createServer((_request, response) => {
  asked += 1;
  const isBusy = asked <= refusals;
  const body = isBusy ? { error: 'Too busy.', code: 'overloaded', requestId: 'req_1' } : { status: 'ok' };
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1', 'retry-after': '0' };
  response.writeHead(isBusy ? 503 : 200, headers).end(JSON.stringify(body));
});
let client: Client;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new Client(url, url, null);
});

after(() => server.close());

describe('the client of the tests', () => {
  it('sends again what a busy service refused', async () => {
    [asked, refusals] = [0, 20];
    assert.equal((await client.get('/healthz')).status, 200);
    assert.equal(asked, 21);
  });

  it('gives up on a service that refuses without end, and says so', async () => {
    [asked, refusals] = [0, 10_000];
    await assert.rejects(
      client.get('/healthz'),
      /GET \/healthz was still refused after 61 s of waits: Too busy/,
    );
    assert.equal(asked, 61);
  });

  it('takes the refusal for the answer where it is asked to', async () => {
    [asked, refusals] = [0, 10_000];
    assert.equal((await client.impatient.get('/healthz')).status, 503);
    assert.equal(asked, 1);
  });
});
