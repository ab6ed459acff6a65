import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { startGoogleApp } from '../src/delivery/google/google.fixture.ts';
import { issueFor, p12For, signFor } from '../src/wallet-credentials/identities.fixture.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForNone,
  waitForValue,
} from './console.ts';
import { makePass } from './factories.ts';

describe('the wallets of a workspace in Chromium', { skip: consoleSkip }, async () => {
  checksPages('/console/settings/wallets/apple', '/console/settings/wallets/google');
  const { app, google } = await startGoogleApp(await consoleSettings());
  const issuerId = '3388000000000009999';

  const step = (page: Page, title: string) => page.locator('.setup-steps > li', { hasText: title });
  const file = (name: string, content: string | Buffer) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });

  it('lead from a signing request to a certificate that signs, and back', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/settings/wallets', 'Wallets');
        await assertForEverybody(page);
        await page.getByRole('link', { name: 'Set up your own Apple Wallet' }).click();
        await page.locator('h1', { hasText: 'Your own Apple certificate' }).waitFor();
        const download = page.waitForEvent('download');
        await page.getByRole('button', { name: 'Make the signing request' }).click();
        const csr = await readFile(await (await download).path(), 'utf8');
        assert.match(csr, /^-----BEGIN CERTIFICATE REQUEST-----/);
        const upload = step(page, 'Put the certificate in');
        await upload.getByLabel('Certificate from Apple').setInputFiles(file('pass.cer', 'nothing'));
        await upload.getByRole('button', { name: 'Check it' }).click();
        await upload.locator('[aria-invalid="true"], [role="alert"] .notice').first().waitFor();
        const { raw } = issueFor(csr, 'pass.com.example.console');
        await upload.getByLabel('Certificate from Apple').setInputFiles(file('pass.cer', raw));
        await upload.getByRole('button', { name: 'Check it' }).click();
        await upload.getByText('pass.com.example.console').waitFor();
        await page.getByText('Publish a pass first').waitFor();
        await assertForEverybody(page);
        assert.equal(
          (await client.get('/workspace/wallets')).body.apple.passTypeIdentifier,
          'pass.com.example.console',
        );
        await upload.getByRole('button', { name: 'I have a .p12 file instead' }).click();
        await upload
          .getByLabel('The .p12 file')
          .setInputFiles(file('pass.p12', Buffer.from(p12For('pass.com.example.other'), 'base64')));
        await upload.getByLabel('Its passphrase').fill('wrong');
        await upload.getByRole('button', { name: 'Check it' }).click();
        await upload.locator('[aria-invalid="true"], [role="alert"] .notice').first().waitFor();
        await upload.getByLabel('Its passphrase').fill('secret');
        await upload.getByRole('button', { name: 'Check it' }).click();
        await upload.getByText('pass.com.example.other').waitFor();
        await open('/console/settings/wallets', 'Wallets');
        await page.getByRole('button', { name: 'Have the service do it again Apple Wallet' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Have the service do it again' }).click();
        await page.getByText('pass.com.example.other, until').waitFor();
        assert.equal((await client.get('/workspace/wallets')).body.apple.own, false);
      },
      { client },
    );
  });

  it('let readers take cards, show them their key, and shut them out', async () => {
    const { client } = await app.newWorkspace();
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/settings/wallets', 'Wallets');
        const guide = await page.getByRole('link', { name: 'What you need' }).getAttribute('href');
        assert.equal((await app.anyone.get(guide ?? '')).status, 200);
        await page.getByRole('button', { name: 'Set up readers' }).click();
        await page.getByLabel('Redemption issuers at Google').fill('3388, four');
        await page.getByRole('button', { name: 'Let readers take cards' }).click();
        await page.locator('[aria-invalid="true"], [role="alert"] .notice').first().waitFor();
        await page.getByLabel('Redemption issuers at Google').fill('3388 3389');
        await page.getByRole('button', { name: 'Let readers take cards' }).click();
        await page.getByText('iPhones do not take part yet').waitFor();
        await assertForEverybody(page);
        const { nfc } = (await client.get('/workspace/wallets')).body;
        assert.deepEqual(nfc.redemptionIssuers, ['3388', '3389']);
        assert.equal(await page.getByLabel('Public key', { exact: true }).inputValue(), nfc.publicKey);
        await page.getByRole('button', { name: 'Show the private key' }).click();
        await page.getByRole('dialog').getByText('-----BEGIN PRIVATE KEY-----').waitFor();
        await assertForEverybody(page);
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Have no readers take cards' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Have no readers take cards' }).click();
        await page.getByRole('button', { name: 'Set up readers' }).waitFor();
        assert.equal((await client.get('/workspace/wallets')).body.nfc, null);
      },
      { client },
    );
  });

  it('lead from a service account to a card that is in a wallet', async () => {
    const { client } = await app.newWorkspace();
    const serviceAccount = google.addIssuer(issuerId);
    const pass = await makePass(client, { title: 'Club' });
    await inConsole(
      app,
      'owner',
      async ({ page, open }) => {
        await open('/console/settings/wallets/google', 'Your own account at Google Wallet');
        const submit = step(page, 'Issuer ID').last();
        await submit.getByLabel('Issuer ID').fill('not a number');
        await submit.getByRole('button', { name: 'Make cards with it' }).click();
        await submit.getByText('Choose the JSON file first.').waitFor();
        const key = page.getByLabel('The JSON file of the key');
        await key.setInputFiles(file('key.json', 'not JSON'));
        await page.getByText('This is not the key file').waitFor();
        await key.setInputFiles(file('key.json', serviceAccount));
        const { client_email: email } = JSON.parse(serviceAccount);
        await waitForValue(page.getByLabel('Address of the service account'), email);
        await submit.getByRole('button', { name: 'Make cards with it' }).click();
        await submit.locator('[name="issuerId"][aria-invalid="true"]').waitFor();
        await submit.getByLabel('Issuer ID').fill(issuerId);
        await assertForEverybody(page);
        await submit.getByRole('button', { name: 'Make cards with it' }).click();
        await submit.locator('.facts').getByText(issuerId, { exact: true }).waitFor();

        await page.locator('.who').click();
        await page.locator('#account-menu').getByRole('button', { name: 'As curl' }).click();
        const written = page.getByRole('dialog').locator('details[open] pre');
        const curl = await written.innerText();
        assert.match(curl, /-X PUT '.*\/v1\/workspace\/wallets\/google'/);
        assert.match(curl, /"serviceAccount": "…"/);
        assert.ok(!(await page.getByRole('dialog').innerText()).includes('PRIVATE KEY'));
        await page.keyboard.press('Escape');

        const test = step(page, 'Try it on your phone');
        await test.getByLabel('Pass').selectOption(pass.passId);
        await test.getByRole('button', { name: 'Make a test card' }).click();
        await test.getByText('Waiting for the phone').waitFor();
        await assertForEverybody(page);
        const [card] = (await client.get(`/passes/${pass.passId}/instances`)).body.data;
        const reply = await app.anyone.get(card.links.google);
        await google.save(reply.headers.get('location') ?? '', { callbackUrl: `${app.url}/google/callback` });
        await test.getByText('The card is in Google Wallet.').waitFor();
        await test.getByRole('button', { name: 'Void the test card' }).click();
        await test.getByRole('button', { name: 'Make a test card' }).waitFor();
        assert.equal((await client.get(`/instances/${card.instanceId}`)).body.status, 'voided');
      },
      { client },
    );
  });

  it('say when a certificate is about to end, and where one has ended', async () => {
    const { client } = await app.newWorkspace();
    const endsIn = (days: number) => new Date(app.running.app.now().getTime() + days * 86_400_000);
    await signFor(client, 'pass.com.example.ending', { notAfter: endsIn(12) });
    await inConsole(
      app,
      'viewer',
      async ({ page, open }) => {
        await open('/console/settings/wallets', 'Wallets');
        await page.getByText('The certificate ends on').waitFor();
        await page.getByText('holders will not notice').waitFor();
        await app.sql("update apple_identities set expires_at = now() - interval '1 day'");
        await page.reload();
        await page.getByText('The certificate ended on').waitFor();
        await assertForEverybody(page);
      },
      { client },
    );
  });

  it('are set up by owners alone', () =>
    inConsole(app, 'manager', async ({ page, open }) => {
      await open('/console/settings/wallets', 'Wallets');
      await page.getByText('Owners can change this.').waitFor();
      await waitForNone(page.getByRole('link', { name: /^Set up your own/ }));
      await open('/console/settings/wallets/apple', 'This page is not for your role');
    }));
});
