import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, it } from 'node:test';
import type { Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { diagnosisBy, idOf, moment } from './diagnosis.fixture.ts';

const issuerId = '3388000000000000001';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const app = await startTestApp({
  WORKERS: 'off',
  GOOGLE_ISSUER_ID: issuerId,
  GOOGLE_SERVICE_ACCOUNT: JSON.stringify({
    client_email: 'cards@example.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    token_uri: 'http://127.0.0.1:1/token',
  }),
});
const { client } = app;
const { assertFound, assertNotFound } = diagnosisBy(app);

const hourMs = 3_600_000;
/** So long after the moment that it is for the service. */
const now = (ms = 0) => new Date(app.running.app.now().getTime() + ms);

let card: Json;
beforeEach(async () => {
  card = await makeCard(client, (await makePass(client)).passId);
});

describe('Google Wallet', () => {
  /** What Google knows of the card. */
  async function know(known: Json, of: Json = card): Promise<void> {
    await app.sql(
      `insert into google_objects (workspace_id, instance_id, content, saved, notified_at, due_at, attempts)
      select workspace_id, instance_id, $2, $3, $4, $5, $6 from instances where instance_id = $1`,
      [
        idOf(of),
        known.made === true ? Buffer.alloc(32) : null,
        known.saved === true,
        known.notifiedAt ?? [],
        known.dueAt ?? null,
        known.attempts ?? 0,
      ],
    );
    await app.sql('update instances set google_wallets = $2, installed = $2 > 0 where instance_id = $1', [
      idOf(of),
      known.saved === true ? 1 : 0,
    ]);
  }

  it('was never asked for the card', async () => {
    await assertFound(card, 'ok', /^The card is not in Google Wallet yet/);
  });

  it('could not make it', async () => {
    await know({});
    await assertFound(card, 'error', /could not be made there$/, /log of the service/);
  });

  it('has it, and no holder keeps it', async () => {
    await know({ made: true });
    await assertFound(card, 'warning', /no holder keeps it/, /call-back does not reach .*google\/callback/);
  });

  it('is to be updated', async () => {
    await know({ made: true, saved: true, dueAt: now() });
    await assertFound(card, 'ok', /^Held by 0 Apple devices, 1 Google account, 0 web cards$/);
    await assertFound(card, 'warning', /^Google Wallet: a push is due since/, /worker/);
  });

  it('is updated again after failures', async () => {
    await know({ made: true, saved: true, dueAt: now(60_000), attempts: 3 });
    await assertFound(card, 'warning', /^Google Wallet: 3 attempts have failed/, /firewall/);
  });

  it('announces three changes in 24 hours and then changes silently', async () => {
    const threeTimes = [now(-20 * hourMs), now(-3 * hourMs), now(-hourMs)];
    await know({ made: true, saved: true, notifiedAt: [now(-30 * hourMs), ...threeTimes] });
    const what = new RegExp(`^Google allows 3 notifications .* silently since ${moment}$`);
    await assertFound(card, 'warning', what, new RegExp(`next change after ${moment}`));
    await app.sql('update google_objects set notified_at = $2 where instance_id = $1', [
      idOf(card),
      [now(-30 * hourMs), ...threeTimes.slice(1)],
    ]);
    await assertNotFound(card, /notifications for a card/);
  });

  it('announces no change of a generic card', async () => {
    const { passId } = await makePass(client, { type: 'generic' });
    const generic = await makeCard(client, passId);
    await know({ made: true, saved: true }, generic);
    await assertFound(generic, 'ok', /^Google Wallet changes generic cards silently/);
  });

  for (const [reason, advice] of [
    ['403 forbidden The caller does not have permission', /user of the issuer account/],
    ['401 UNAUTHENTICATED', /another key/],
    ['the token endpoint answered 400 invalid_grant', /deleted or disabled/],
  ] as const) {
    it(`refuses us: ${reason}`, async () => {
      await know({ made: true, saved: true });
      await app.sql(
        `insert into wallet_stops values ('google', $3, $1, $2, $2)
        on conflict (wallet, scope) do update set reason = excluded.reason`,
        [reason, now(), issuerId],
      );
      const what = new RegExp(`^Google has refused everything for ${issuerId} since`);
      await assertFound(card, 'error', what, advice);
      await app.sql('delete from wallet_stops');
    });
  }
});

describe('the web card', () => {
  async function view(until: Date | 'infinity', more: { endpoint?: string; dueAt?: Date } = {}) {
    await app.sql(
      `insert into web_cards (workspace_id, instance_id, viewer_id, push_endpoint, expires_at, due_at)
      select workspace_id, instance_id, gen_random_uuid(), $3, $2, $4 from instances where instance_id = $1`,
      [idOf(card), until, more.endpoint ?? null, more.dueAt ?? null],
    );
  }

  it('is open, or installed and silent', async () => {
    await view(now(30_000));
    await view(now(20 * 24 * hourMs));
    await view(now(-30_000));
    await assertFound(card, 'ok', /^Browsers with the web card: 1 open, 1 installed$/);
    await assertFound(card, 'warning', /^No browser takes pushes/, /allows its notifications/);
  });

  it('is installed and takes pushes, one of which is due', async () => {
    await view('infinity', { endpoint: 'https://push.example.test/secret', dueAt: now() });
    await assertNotFound(card, /No browser takes pushes|push\.example/);
    await assertFound(card, 'warning', /^The web card: a push is due since/, /worker/);
  });
});
