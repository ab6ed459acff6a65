import { it } from 'node:test';
import fc from 'fast-check';
import { createTestDatabase, startTestApp } from '../harness.ts';
import { plans } from './moves.ts';
import { play } from './sequence.ts';
import { LedgerReader } from './snapshot.ts';
it('x', async () => {
  const app = await startTestApp({ WORKERS: 'off', ...(process.env.ASY && { DATABASE_URL: `${await createTestDatabase()}?options=-c%20synchronous_commit%3Doff` }) });
  const reader = new LedgerReader(app.databaseUrl);
  await reader.open();
  let readMs = 0; let reads = 0;
  const read = reader.read.bind(reader);
  reader.read = async (...a) => { const t = performance.now(); const r = await read(...a); readMs += performance.now() - t; reads++; return r; };
  const { Session } = await import('node:inspector/promises');
  const session = new Session(); session.connect(); await session.post('Profiler.enable'); await session.post('Profiler.start');
  const lane = { app, reader, calls: 0 };
  for (const plan of fc.sample(plans(60, 1), { seed: 3, numRuns: 10 })) {
    const t = performance.now(); const c = lane.calls; readMs = 0; reads = 0;
    const cpu = process.cpuUsage();
    try { await play(lane, plan); } catch (e) { console.log(String((e as Error).message).slice(-3000)); }
    const used = process.cpuUsage(cpu);
    console.log(plan.steps.length, 'steps', lane.calls - c, 'calls', Math.round(performance.now() - t), 'ms, reads', reads, Math.round(readMs), 'cpu', Math.round((used.user+used.system)/1000), plan.steps.flatMap(s=>s.moves).filter(m=>m.op==='expire').length);
  }
  const { profile } = await session.post('Profiler.stop');
  (await import('node:fs')).writeFileSync('/tmp/ledger.cpuprofile', JSON.stringify(profile));
  await reader.close();
});
