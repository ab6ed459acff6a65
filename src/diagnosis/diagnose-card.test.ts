import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { assertRefused, type Client, type Json } from '../../test/client.ts';
import { makeCard, makePass } from '../../test/factories.ts';
import { startTestApp } from '../../test/harness.ts';
import { Phones, startDevelopmentApns, until } from '../../test/wallets.ts';
import { Phone } from '../../tools/fakes/phone.ts';
import { pushDevices } from '../delivery/apple/push-devices.job.ts';
import { flushSkipped } from '../delivery/flush-skipped.job.ts';
import { giveUpPushes } from '../delivery/give-up-pushes.job.ts';
import { walkRollouts } from '../delivery/walk-rollouts.job.ts';
import { encodeId, newUuidV7 } from '../kit/ids.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';
import { diagnosisBy, idOf, moment } from './diagnosis.fixture.ts';
import { unreached } from './explain-apple.ts';

// No worker runs: each test takes the turns itself, and sees what lies between them.
const apns = await startDevelopmentApns();
const app = await startTestApp({ WORKERS: 'off', APNS_URL: apns.url });
const phones = new Phones(app, apns);
const work = { app: app.running.app, requestId: 'test' };

const { diagnose, assertFound, assertNotFound } = diagnosisBy(app);

/** The same at an address that phones do not take, and without a server behind APNS_URL. */
const elsewhere = await startTestApp({
  WORKERS: 'off',
  PUBLIC_URL: 'http://cards.example.test',
  APNS_URL: 'https://127.0.0.1:1',
});
const there = diagnosisBy(elsewhere);
const newCardThere = async () => makeCard(elsewhere.client, (await makePass(elsewhere.client)).passId);

let client: Client;
let pass: Json;
beforeEach(async () => {
  apns.unscript();
  await app.sql('delete from wallet_stops');
  ({ client } = await app.newWorkspace());
  pass = await makePass(client);
});

const hourMs = 3_600_000;
/** So long after the moment that it is for the service. */
const now = (ms = 0) => new Date(app.running.app.now().getTime() + ms);
const newCard = (): Promise<Json> => makeCard(client, pass.passId);
const setTier = ({ instanceId }: Json, value: string) =>
  client.patch(`/instances/${instanceId}/fields`, { fields: { tier: value } });

/** A phone that has the card, and hears of no push. */
async function deafPhone(card: Json): Promise<Phone> {
  const phone = new Phone({
    root: app.running.app.apple.root,
    reach: (url) => url.replace(app.config.publicUrl, app.url),
    now: () => app.running.app.now(),
  });
  await phone.add(card.links.add);
  return phone;
}

describe('the diagnosis', () => {
  it('is that of any workspace, names it, and is in order', async () => {
    const { workspaceId, client: other } = await app.newWorkspace();
    const card = await makeCard(other, (await makePass(other)).passId);
    const { body } = await app.operator.get(`/operator/instances/${card.instanceId}/diagnosis`);
    assert.equal(body.instanceId, card.instanceId);
    assert.equal(body.workspaceId, workspaceId);
    assert.deepEqual(body.findings[0], { level: 'ok', what: 'The card is active' });
  });

  it('of a card that does not exist is refused', async () => {
    for (const id of [encodeId('inst', newUuidV7()), 'inst_O0l', 'x'])
      assertRefused(await app.operator.get(`/operator/instances/${id}/diagnosis`), 'instance_not_found');
  });

  it('names no device and no secret', async () => {
    const card = await newCard();
    const phone = await deafPhone(card);
    await setTier(card, 'Gold');
    const text = JSON.stringify(await diagnose(card));
    const [{ token = '' } = {}] = await app.sql<{ token: string }>(
      'select authentication_token as token from instances where instance_id = $1',
      [idOf(card)],
    );
    const link = card.links.add.split('/').at(-1);
    for (const secret of [phone.deviceLibraryIdentifier, phone.pushToken, token, link])
      assert.ok(secret.length > 8 && !text.includes(secret));
  });
});

describe('the card and its pass', () => {
  it('voided', async () => {
    const card = await newCard();
    await client.post(`/instances/${card.instanceId}/void`);
    await assertFound(card, 'warning', /^The card is voided/, /reactivate/);
  });

  it('erased', async () => {
    const card = await newCard();
    await client.delete(`/instances/${card.instanceId}`);
    await assertFound(card, 'error', new RegExp(`^The card was erased on ${moment}`), /Issue a new card/);
  });

  it('imported from another system', async () => {
    const { body } = await client.post(`/passes/${pass.passId}/instances/import`, {
      instances: [{ barcode: 'A-1' }],
    });
    await assertFound(body.results[0].instance, 'warning', /^The card was imported/, /through its link/);
  });

  for (const [status, words] of [
    ['draft', /^Its pass is a draft; .* work all the same$/],
    ['archived', /^Its pass is archived; .* work all the same$/],
  ] as const) {
    it(`of a pass that is ${status === 'draft' ? 'a draft' : status}`, async () => {
      const card = await newCard();
      await client.patch(`/passes/${pass.passId}`, { status });
      await assertFound(card, 'ok', words);
    });
  }
});

describe('the installation', () => {
  it('an address that is not https', async () => {
    const card = await newCardThere();
    const what = /^PUBLIC_URL is http:\/\/cards\.example\.test, not https: phones never register$/;
    await there.assertFound(card, 'error', what, /https address .* added again/);
    await assertNotFound(await newCard(), /PUBLIC_URL/);
  });

  it('a development certificate', async () => {
    await assertFound(await newCard(), 'warning', /^Development certificate/, /APPLE_PASS_CERT/);
  });

  it('a certificate that has expired', async () => {
    const card = await newCardThere();
    await there.assertNotFound(card, /^Pass certificate/);
    const { validToDate } = elsewhere.running.app.apple.certificate;
    elsewhere.advance(validToDate.getTime() - Date.now() + hourMs);
    await there.assertFound(card, 'error', /^Pass certificate: expired on/, /Restart/);
  });

  it('a push service out of reach', async () => {
    const card = await newCardThere();
    await hold(card);
    await there.assertNotFound(card, /cannot be reached/);
    await elsewhere.running.app.apns.push('ab');
    const what = /^The push service at https:\/\/127\.0\.0\.1:1, as APNS_URL has it, cannot be reached/;
    await there.assertFound(card, 'warning', what, /Check that it runs there/);
  });

  it('the simulated push service out of reach is no matter of Apple', () => {
    assert.match(unreached(null, true).advice ?? '', /punchcard simulate phone/);
    assert.match(unreached(null, true).what, /^The simulated push service/);
    assert.match(unreached(null, false).advice ?? '', /api\.push\.apple\.com, port 443/);
  });
});

/** Puts the card on an Apple device, as a registration would. */
async function hold(card: Json): Promise<void> {
  await elsewhere.sql('update instances set apple_wallets = 1, installed = true where instance_id = $1', [
    idOf(card),
  ]);
  await elsewhere.sql(
    `with device as (
      insert into apple_devices (workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token,
        registered_at, tag, push_from)
      select workspace_id, gen_random_uuid(), gen_random_uuid(), $1, 'ab', now(), 1, now()
      from instances where instance_id = $2 returning device_id
    )
    insert into apple_registrations (workspace_id, instance_id, device_id, created_at)
    select workspace_id, instance_id, device_id, now() from instances, device where instance_id = $2`,
    [elsewhere.running.app.apple.passTypeIdentifier, idOf(card)],
  );
}

describe('a card that no wallet holds', () => {
  it('was never opened', async () => {
    await assertFound(
      await newCard(),
      'error',
      /^No wallet .* its link was never opened$/,
      /Send the holder/,
    );
  });

  it('was opened and not added', async () => {
    const card = await newCard();
    await app.anyone.get(card.links.add);
    const what = new RegExp(`^No wallet .* its link was opened on ${moment}, and it was never added$`);
    await assertFound(card, 'error', what, /presses the button/);
  });

  it('was fetched and not registered', async () => {
    const card = await newCard();
    await app.anyone.get(card.links.apple);
    const what = new RegExp(`^No wallet .* file was fetched on ${moment}, and no device has registered`);
    await assertFound(card, 'error', what, /automatic updates off/);
  });

  it('was removed by its holder, or automatic updates were switched off', async () => {
    const card = await newCard();
    await (await deafPhone(card)).remove();
    await assertFound(card, 'error', /^No wallet holds the card now$/, /through its link/);
    const what = new RegExp(
      `^Apple Wallet gave the card up last on ${moment}: its holder removed it or switched automatic updates off$`,
    );
    await assertFound(card, 'warning', what);
  });

  it('was fetched again after it was removed', async () => {
    const card = await newCard();
    await (await deafPhone(card)).remove();
    app.advance(2 * hourMs);
    await app.anyone.get(card.links.apple);
    await assertFound(card, 'error', /^No wallet .* file was fetched/, /did not press "Add"/);
  });

  it('was on a device that Apple no longer knows', async () => {
    const card = await newCard();
    await deafPhone(card);
    apns.script({ status: 410, reason: 'Unregistered', timestamp: now(60_000) });
    await setTier(card, 'Gold');
    await pushDevices(work);
    const what = /^Apple Wallet gave the card up .* push token is gone \(Unregistered\)$/;
    await assertFound(card, 'warning', what, /registers again by itself/);
  });

  it('is still held by another device than the one that gave it up', async () => {
    const card = await newCard();
    await deafPhone(card);
    await (await deafPhone(card)).remove();
    await assertFound(card, 'ok', /^Apple Wallet gave the card up/);
    await assertFound(card, 'ok', /^Held by 1 Apple device, 0 Google accounts, 0 web cards$/);
  });
});

describe('a push to an Apple device', () => {
  it('has a device that says when it added the card and sent its token last', async () => {
    const card = await newCard();
    await deafPhone(card);
    const what = `^The Apple device added the card on ${moment} and sent its push token last on ${moment}$`;
    await assertFound(card, 'ok', new RegExp(what));
    await deafPhone(card);
    await assertFound(card, 'ok', /^Apple device 2 added/);
  });

  it('is due, and no worker takes it', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    const what = new RegExp(`^The Apple device: a push is due since ${moment}, and no worker has taken it$`);
    await assertFound(card, 'warning', what, /WORKERS=on/);
    await assertNotFound(card, /was fetched|has not fetched/);
  });

  it('is in the hands of a worker', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    await setDevices(card, { dueAt: now(30_000) });
    await assertFound(card, 'warning', /^The Apple device: a worker has the push in hand/, /Nothing/);
  });

  it('waits for the pace of the device', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setDevices(card, { pushFrom: now(10 * 60_000) });
    await setTier(card, 'Gold');
    const what = new RegExp(`^The Apple device has had many pushes: the next one waits until ${moment}$`);
    await assertFound(card, 'warning', what, /a push a minute/);
  });

  it('is tried again after failures', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    apns.script({ status: 503, reason: 'ServiceUnavailable' });
    await pushDevices(work);
    const what = new RegExp(`^The Apple device: 1 attempt has failed, the next is on ${moment}$`);
    await assertFound(card, 'warning', what, /for a week/);
  });

  it('waits for a rollout that has not reached the card yet, and then for its end', async () => {
    const card = await newCard();
    await deafPhone(card);
    await client.patch(`/passes/${pass.passId}`, { title: 'Blue Bean Friends' });
    const ahead = new RegExp(
      `^A change of a whole pass is on its way .* not reached this card yet: 0 of 1 cards since ${moment}$`,
    );
    await assertFound(card, 'warning', ahead, /WORKERS/);
    await walkRollouts(work);
    await assertNotFound(card, ahead);
    const held = new RegExp(
      `^The Apple device is pushed to when all cards .* whole pass has reached 1 of 1 cards since ${moment}$`,
    );
    await assertFound(card, 'warning', held, /WORKERS/);
    await walkRollouts(work);
    // Devices are let go a moment before their turn.
    app.advance(1_000);
    await assertFound(card, 'warning', /^The Apple device: a push is due/, /worker/);
  });

  it('waits for no rollout of another workspace that has cards on the device', async () => {
    const card = await newCard();
    const phone = await deafPhone(card);
    const { client: other } = await app.newWorkspace();
    const { passId } = await makePass(other);
    await phone.add((await makeCard(other, passId)).links.add);
    await other.post(`/passes/${passId}/messages`, { text: 'Double stamps until Sunday' });
    await walkRollouts(work);
    await setTier(card, 'Gold');
    await pushDevices(work);
    await assertFound(card, 'ok', new RegExp(`^Apple took the last push on ${moment}$`));
    await walkRollouts(work);
  });

  it('is for a pass type that the certificate is not for', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setDevices(card, { passTypeIdentifier: 'pass.example.former' });
    const what = /^The Apple device has the card under pass\.example\.former, .* never pushed to$/;
    await assertFound(card, 'error', what, /APPLE_PASS_CERT/);
  });

  it('was taken, and the phone has not come', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    await pushDevices(work);
    await assertFound(card, 'ok', new RegExp(`^Apple took the last push on ${moment}$`));
    const what = new RegExp(
      `^Apple took the push on ${moment}, and the device has not fetched the newest state, of ${moment}$`,
    );
    await assertFound(card, 'warning', what, /Low Power Mode.*120, 600 or 3600 seconds/);
  });

  it('was taken, and the phone has come', async () => {
    const card = await newCard();
    const phone = await phones.add([card]);
    await setTier(card, 'Gold');
    await pushDevices(work);
    await until('the phone shows it', () => phone.shows('tier') === 'Gold');
    await assertFound(card, 'ok', new RegExp(`^The newest state, of ${moment}, was fetched$`));
    await phones.add([card]);
    await assertFound(card, 'ok', /was fetched, by one of the devices at least$/);
  });

  it('was never sent', async () => {
    const card = await newCard();
    await deafPhone(card);
    await app.sql(
      "update instances set modified_at = modified_at + interval '1 minute' where instance_id = $1",
      [idOf(card)],
    );
    await assertFound(card, 'warning', /was not fetched, and no push is on its way$/, /push\.$/);
  });

  it('was refused', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    apns.script({ status: 413, reason: 'PayloadTooLarge' });
    await pushDevices(work);
    const what = new RegExp(`^Apple: the last push failed on ${moment}: PayloadTooLarge$`);
    await assertFound(card, 'warning', what, /newest state/);
  });

  it('was given up after a week', async () => {
    const card = await newCard();
    await deafPhone(card);
    await setTier(card, 'Gold');
    await app.sql("update pushes set created_at = created_at - interval '8 days' where instance_id = $1", [
      idOf(card),
    ]);
    await giveUpPushes(work);
    await assertFound(
      card,
      'warning',
      /^Apple: the last push failed .*: nothing took it for a week$/,
      /newest/,
    );
  });

  for (const [reason, status, advice] of [
    ['TopicDisallowed', 400, /not one for this pass type/],
    ['BadCertificate', 403, /expired, was revoked/],
    ['Forbidden', 403, /agreements/],
  ] as const) {
    it(`is stopped by ${reason}`, async () => {
      const card = await newCard();
      await deafPhone(card);
      await setTier(card, 'Gold');
      apns.script({ status, reason });
      await pushDevices(work);
      const what = new RegExp(
        `^Apple has refused everything for pass\\.dev\\.punchcard\\.local since ${moment} \\(${reason}\\): .* next try is on ${moment}$`,
      );
      await assertFound(card, 'error', what, advice);
      await assertNotFound(await newCard(), /has refused everything/);
    });
  }
});

/** Changes what is known of the devices that hold a card. */
async function setDevices(
  card: Json,
  change: { dueAt?: Date; pushFrom?: Date; passTypeIdentifier?: string },
): Promise<void> {
  await app.sql(
    `update apple_devices set due_at = coalesce($2, due_at), push_from = coalesce($3, push_from),
      pass_type_identifier = coalesce($4, pass_type_identifier)
    where device_id in (select device_id from apple_registrations where instance_id = $1)`,
    [idOf(card), change.dueAt, change.pushFrom, change.passTypeIdentifier],
  );
}

describe('credits', () => {
  it('that are missing, until a top-up', async () => {
    const poor = await app.newWorkspace('pro', 0);
    const card = await makeCard(poor.client, (await makePass(poor.client)).passId);
    await deafPhone(card);
    await poor.client.patch(`/instances/${card.instanceId}/fields`, { fields: { tier: 'Gold' } });
    const what = new RegExp(`^Changes since ${moment} were not sent for lack of credits; 0 are left now$`);
    const credits = `/operator/workspaces/${poor.workspaceId}/credits`;
    await assertFound(card, 'error', what, new RegExp(`POST ${credits}`));
    await app.operator.post(credits, { amount: 1, externalRef: 'a' });
    await flushSkipped(work);
    await assertNotFound(card, /lack of credits/);
    await assertFound(card, 'warning', /a push is due/, /worker/);
  });
});

describe('the lock screen', () => {
  const field = { label: 'Tier', value: 'Bronze', section: 'secondary' };

  async function cardWith(changeMessages: readonly (string | null)[]): Promise<Json> {
    const fields = changeMessages.map((changeMessage, at) => ({ ...field, key: `tier${at}`, changeMessage }));
    const card = await makeCard(client, (await makePass(client, { fields })).passId);
    await deafPhone(card);
    return card;
  }

  it('stays dark when no field has a change message', async () => {
    await assertFound(await cardWith([null]), 'warning', /^No field has a change message/, /%@ points/);
  });

  it('announces the fields that have one', async () => {
    const card = await cardWith(['You are now %@', null, '%@!']);
    await assertFound(
      card,
      'ok',
      /^The lock screen announces changes of tier0, tier2, and messages to all holders; all others are silent$/,
    );
    await assertNotFound(card, /lacks/);
  });

  it('announces the balance of a program', async () => {
    const { pass: withProgram } = await makeProgram(client, undefined, {
      design: { fields: [{ ...field, key: 'tier' }] },
    });
    const card = await makeCard(client, withProgram.passId);
    await deafPhone(card);
    await assertFound(card, 'ok', /^The lock screen announces changes of loyalty-balance/);
    await assertNotFound(card, /silently/);
  });

  it('shows no value without %@', async () => {
    const card = await cardWith(['You are now %@', 'It has changed']);
    await assertFound(card, 'warning', /^The change message of tier1 lacks %@/, /Put %@/);
  });
});

describe('Google Wallet, where it is not set up', () => {
  it('is not mentioned', async () => {
    await assertNotFound(await newCard(), /Google Wallet/);
  });

  it('had the card before', async () => {
    const orphan = await newCard();
    await app.sql(
      'insert into google_objects (workspace_id, instance_id) select workspace_id, instance_id from instances where instance_id = $1',
      [idOf(orphan)],
    );
    await assertFound(orphan, 'error', /no longer has an account there$/, /GOOGLE_SERVICE_ACCOUNT/);
  });
});

describe('what devices reported', () => {
  it('of the card last: five lines, the newest first, none of which steers a terminal', async () => {
    const card = await newCard();
    const { serialNumber } = (await deafPhone(card)).card().identity;
    for (let count = 1; count <= 6; count++)
      await app.anyone.post('/apple/v1/log', { logs: [`${count} of ${serialNumber} failed`] });
    await app.sql(
      `update instance_events set detail = jsonb_build_object('message', E'6 of \u001b[31mred\u009b')
      where instance_id = $1 and detail ->> 'message' like '6 of%'`,
      [idOf(card)],
    );
    const reports = (await diagnose(card)).filter(({ what }) => what.startsWith('A device reported'));
    assert.deepEqual(
      reports.map(({ level, what }) => [level, /: (\d)/.exec(what)?.[1]]),
      ['6', '5', '4', '3', '2'].map((count) => ['warning', count]),
    );
    assert.match(reports[0]?.what ?? '', new RegExp(`^A device reported on ${moment}: 6 of  \\[31mred $`));
  });
});
