import { test } from 'node:test';
import { startTestApp } from '/work/main/test/harness.ts';
import { makeProgram } from '/work/main/src/modules/loyalty/account.fixture.ts';
import { connectShop, newOrder, signatureOf } from '/work/main/src/modules/stores/stores.fixture.ts';
import { ServiceProcess, freePort } from '/work/main/test/service-process.ts';
import http from 'node:http';
test('load', { timeout: 120000 }, async () => {
  const app = await startTestApp({ WORKERS: 'off' });
  const { client } = await app.newWorkspace();
  const { pass } = await makeProgram(client, { mode: 'POINTS', reward: { title: 'C', cost: 10 }, earn: { perCurrencyUnit: 1 } });
  const { storeId } = await connectShop(client, { passId: pass.passId });
  const port = await freePort();
  const svc = new ServiceProcess(port, { DATABASE_URL: app.databaseUrl, DATA_DIR: app.config.dataDir, PUBLIC_URL: app.config.publicUrl, LOG_LEVEL: 'warn', RATE_LIMIT_PER_SECOND: '100000', WEBHOOKS_PER_SECOND: '100000' });
  await svc.start();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });
  const one = (body: string) => new Promise<number>((res, rej) => { const t = performance.now(); const r = http.request({ port, host: '127.0.0.1', agent, method: 'POST', path: `/stores/${storeId}/webhooks`, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), 'x-topic': 'order', 'x-signature': signatureOf(body) } }, (x) => { x.resume(); x.on('end', () => x.statusCode === 200 ? res(performance.now() - t) : rej(new Error(String(x.statusCode)))); }); r.on('error', rej); r.end(body); });
  const rate = Number(process.env.RATE ?? 200), total = rate * 10;
  const times: number[] = []; const all: Promise<void>[] = [];
  const began = performance.now();
  for (let i = 0; i < total; i++) {
    const due = began + (i * 1000) / rate; const wait = due - performance.now(); if (wait > 1) await new Promise((r) => setTimeout(r, wait));
    all.push(one(newOrder(String(i), { customer: { id: String(i % 500) } })).then((ms) => { times.push(ms); }));
  }
  await Promise.all(all); times.sort((a, b) => a - b);
  console.log('rate', rate, 'p50', times[times.length >> 1], 'p99', times[Math.floor(times.length * 0.99)], 'max', times.at(-1));
  const t0 = performance.now();
  for (;;) { const [r] = await app.sql<any>('select count(*)::int c from store_webhooks where due_at is not null'); if (r.c === 0) break; await new Promise((r) => setTimeout(r, 200)); }
  console.log('drained after', performance.now() - t0);
  await svc.end('SIGTERM'); if (svc.complained) console.log(svc.complained.slice(0, 500));
});
