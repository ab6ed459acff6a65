import { describe, it } from 'node:test';
import { Kysely, PostgresDialect, CamelCasePlugin } from 'kysely';
import pg from 'pg';
import { startTestApp } from './harness.ts';
import { Shop } from '../src/modules/orders/shop.fixture.ts';
import * as O from '../src/modules/orders/orders.sql.ts';
import { findHeldCards } from '../src/modules/instances/held-cards.sql.ts';
import { decodeId } from '../src/kit/ids.ts';
const app = await startTestApp({ WORKERS: 'off' });
describe('plans', () => {
  it('explains', async () => {
    const shop = await Shop.open(app);
    await shop.process('1');
    await shop.refund('1', 'a', '1.00');
    const passId = decodeId('pass', shop.passId)!;
    const [{ w }] = await app.sql<any>('select workspace_id as w from passes where pass_id=$1', [passId]);
    await app.sql('alter table orders set (autovacuum_enabled=false)');
    await app.sql('alter table order_refunds set (autovacuum_enabled=false)');
    await app.sql('alter table holders set (autovacuum_enabled=false)');
    const queries: any[] = [];
    const pool = new pg.Pool({ connectionString: app.databaseUrl, max: 2 });
    const db = new Kysely<any>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()], log: (e) => { if (e.level === 'query') queries.push(e.query); } });
    const row: any = { ...(await O.findKnownOrder(db as any, w, { source: O.apiSource, orderId: '1' })) };
    const explainAll = async (label: string) => {
      for (const count of [1, 100]) {
        const keys = Array.from({ length: count }, (_, i) => ({ source: O.apiSource, orderId: `${i * 7 + 1}` }));
        const fns: [string, (tx: any) => Promise<unknown>][] = [
          ['lockOrders', (tx) => O.lockOrders(tx, w, keys)],
          ['findKnownOrder', (tx) => O.findKnownOrder(tx, w, keys[0]!)],
          ['readRefunds', (tx) => O.readRefunds(tx, w, keys)],
          ['updateOrders', (tx) => O.updateOrders(tx, w, keys.map((k) => ({ ...row, ...k })))],
          ['insertOrders', (tx) => O.insertOrders(tx, w, keys.map((k) => ({ ...row, ...k, orderId: `new${k.orderId}` })))],
          ['keepRefunds', (tx) => O.keepRefunds(tx, w, keys.map((k) => ({ ...k, refundId: 'z', amount: 1, currency: 'EUR', createdAt: new Date() })))],
          ['findHeldCards', (tx) => findHeldCards(tx, { workspaceId: w, passId }, keys.map((k) => ({ identifier: `nobody${k.orderId}`, email: `e${k.orderId}@x.com` })))],
        ];
        for (const [name, fn] of fns) {
          const tx = await db.startTransaction().execute();
          queries.length = 0;
          try { await fn(tx as any); } catch (e) { console.log(name, String(e)); }
          await tx.rollback().execute();
          const q = queries.find((x) => !/^(begin|rollback)/.test(x.sql));
          if (!q) continue;
          const c = await pool.connect();
          await c.query('begin');
          try {
            const r = await c.query('explain (analyze, buffers, costs off) ' + q.sql, q.parameters as any[]);
            const text = r.rows.map((x: any) => x['QUERY PLAN']).join('\n');
            const ms = Number(/Execution Time: ([\d.]+)/.exec(text)?.[1]);
            const bad = /Seq Scan|Hash Join|Merge Join|Rows Removed by (Filter|Index)/.test(text);
            console.log(label, count, name, ms, bad ? '\n' + text : '');
          } catch (e) { console.log(name, 'ERR', String(e)); }
          await c.query('rollback'); c.release();
        }
      }
    };
    await app.sql(`insert into orders select workspace_id, source, g::text, pass_id, currency, paid_version, paid_total, latest_version, latest_total, cancelled, placed_at, partner_id, items, instance_id, issued, account_id, rule, points_expire_at, limited_by, points, credited, created_at, updated_at from orders, generate_series(2, 400000) g where order_id='1'`);
    await app.sql(`insert into order_refunds select workspace_id, source, order_id, 'q', 1, 'EUR', now() from orders where source = '00000000-0000-0000-0000-000000000000'`);
    await app.sql(`alter table holders disable trigger all; alter table holders drop constraint if exists holders_workspace_id_instance_id_fkey`);
    await app.sql(`insert into holders (workspace_id, instance_id, pass_id, identifier, email) select workspace_id, gen_random_uuid(), pass_id, 'p'||g, 'e'||g||'@x.com' from holders, generate_series(1,300000) g where identifier='ada'`);
    await explainAll('nostats');
    await app.sql('analyze orders; analyze order_refunds; analyze holders');
    await explainAll('stats');
    await db.destroy();
  });
});
