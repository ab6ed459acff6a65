import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeId } from '../src/kit/ids.ts';
import {
  assertForEverybody,
  checksPages,
  consoleSettings,
  consoleSkip,
  inConsole,
  waitForCount,
  waitForNone,
  waitForValue,
} from './console.ts';
import { startTestApp } from './harness.ts';

describe('the console in Chromium', { skip: consoleSkip }, async () => {
  checksPages('/console', '/console/settings', '/console/settings/people', '/console/settings/account');
  const app = await startTestApp(await consoleSettings());
  const base = app.config.publicUrl;

  it('opens where the person wanted to go, and loads 150 kB at most before it is there', async () => {
    const path = '/console/settings/people';
    await inConsole(
      app,
      'owner',
      async ({ page }) => {
        assert.equal(new URL(page.url()).pathname, '/console/settings/people');
        assert.equal(await page.locator('h1').innerText(), 'People');
        let bytes = 0;
        page.on('response', async (response) => {
          bytes += Number((await response.allHeaders())['content-length'] ?? 0);
        });
        await page.goto(`${base}/console`);
        await page.locator('h2', { hasText: 'What needs attention' }).waitFor();
        assert.ok(bytes > 0 && bytes < 150_000, `${bytes} bytes`);
      },
      { path },
    );
  });

  it('is accessible, in both languages', async () => {
    await inConsole(app, 'owner', async ({ page, open }) => {
      for (const [path, heading] of [
        ['/console', 'Home'],
        ['/console/settings', 'Workspace'],
        ['/console/settings/people', 'People'],
        ['/console/settings/account', 'Your account'],
        ['/console/nowhere', 'There is no such page'],
      ] as const) {
        await open(path, heading);
        await assertForEverybody(page);
      }
      await page.locator('.side .who').click();
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await open('/console/settings', 'Arbeitsbereich');
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      await assertForEverybody(page);
    });
  });

  it('goes from page to page without a mouse, and says where it is', async () => {
    await inConsole(app, 'owner', async ({ page }) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.locator(':focus').innerText(), 'Skip to the content');
      await page.locator('.nav a', { hasText: 'Settings' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('h1', { hasText: 'Workspace' }).waitFor();
      await page.locator('h1:focus').waitFor();
      assert.equal(await page.title(), 'Workspace');
      await page.goBack();
      await page.locator('h1:focus', { hasText: 'Home' }).waitFor();
      await page.setViewportSize({ width: 390, height: 780 });
      await page.getByRole('button', { name: 'Menu' }).click();
      await assertForEverybody(page);
      await page.locator('.nav a', { hasText: 'Settings' }).click();
      await page.locator('h1', { hasText: 'Workspace' }).waitFor();
      await page.locator('.nav').waitFor({ state: 'hidden' });
    });
  });

  it('invites a person in a dialog, and shows a refusal at its field', async () => {
    await inConsole(app, 'owner', async ({ page, person, open }) => {
      await open('/console/settings/people', 'People');
      await page.getByRole('button', { name: 'Invite someone' }).click();
      // There is no partner to whom anyone could be bound.
      await waitForNone(page.getByLabel('Partner'));
      await page.getByLabel('Name').fill('Grace');
      await page.getByLabel('E-mail address').fill(person.email);
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      const address = page.locator('[name="email"][aria-invalid="true"]:focus');
      await address.waitFor();
      await assertForEverybody(page);
      await waitForValue(page.getByLabel('Name'), 'Grace');
      await address.fill('grace@example.com');
      await page.getByLabel('Role').selectOption('viewer');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      const link = await page.getByRole('textbox', { name: 'Pass this link on' }).inputValue();
      assert.match(link, /\/sign-in\/link_/);
      await page.keyboard.press('Escape');
      const grace = page.locator('tr', { hasText: 'Grace' });
      await grace.getByText('Viewer').waitFor();
      await grace.getByText('Invited', { exact: true }).waitFor();
      await page.locator('tr', { hasText: person.email }).getByText('Joined', { exact: true }).waitFor();
    });
  });

  it('asks for the password again where the sign-in is too old, and goes on with what was begun', async () => {
    await inConsole(app, 'owner', async ({ page, open }) => {
      await open('/console/settings/account', 'Your account');
      await page.getByLabel('New password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Set the password' }).click();
      await page.getByText('Your password is set.').waitFor();
      app.advance(601_000);
      await open('/console/settings/people', 'People');
      await page.getByRole('button', { name: 'Invite someone' }).click();
      await page.getByLabel('Name').fill('Katherine');
      await page.getByLabel('E-mail address').fill('katherine@example.com');
      await page.getByRole('button', { name: 'Send the invitation' }).click();
      await page.getByLabel('Your password').fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in and go on' }).click();
      await page.locator('tr', { hasText: 'Katherine' }).waitFor();
    });
  });

  it('shows a role what it may see, and the sign-in page once the session has ended', async () => {
    await inConsole(app, 'viewer', async ({ page, open }) => {
      await open('/console/settings/people', 'People');
      await waitForNone(page.getByRole('button', { name: 'Invite someone' }));
    });
    await inConsole(app, 'staff', async ({ page, open }) => {
      assert.equal(await page.locator('h1').innerText(), 'Welcome');
      await waitForCount(page.locator('.nav a', { hasText: 'Home' }), 1);
      await waitForNone(page.locator('.nav a', { hasText: 'Settings' }));
      await open('/console/settings', 'This page is not for your role');
      await assertForEverybody(page);
      await page.context().clearCookies();
      await page.goto(`${base}/console/settings/people`);
      assert.equal(new URL(page.url()).pathname, '/sign-in');
    });
  });

  it('changes the workspace, and opens another one of the same person', async () => {
    await inConsole(app, 'owner', async ({ page, person, open }) => {
      const other = await app.newWorkspace();
      // As an invitation by mail does it.
      await app.sql(
        `insert into memberships (workspace_id, person_id, name, role, created_at)
        select workspaces.workspace_id, person_id, 'Ada Lovelace', 'manager', now()
        from people, workspaces where people.email = $1 and workspaces.workspace_id = $2`,
        [person.email, decodeId('ws', other.workspaceId)],
      );
      app.running.app.sessionCache.clear();
      await open('/console/settings', 'Workspace');
      await page.getByLabel('Name').fill('Red Bean');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.').waitFor();
      await page.locator('.side .who', { hasText: 'Red Bean' }).click();
      await page.getByRole('button', { name: 'Blue Bean' }).click();
      await waitForValue(page.locator('input[name="name"]'), 'Blue Bean');
      assert.equal((await app.client.get('/workspace')).body.name, 'Red Bean');
    });
  });
});
