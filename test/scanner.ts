import assert from 'node:assert/strict';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { makePerson } from '../src/sign-in/people.fixture.ts';
import type { Client, Json } from './client.ts';
import { inBrowserOf, type OpenBrowser } from './console.ts';
import type { TestApp } from './harness.ts';

/** A shared till in a browser of its own. */
export interface OpenTill extends OpenBrowser {
  readonly context: BrowserContext;
  /** The person who works there, as POST /people has answered; their PIN is 2580. */
  readonly person: Json;
  /** The till, as POST /devices has answered. */
  readonly device: Json;
}

/** A person who can sign in at a till. */
export async function withPin(client: Client, name: string): Promise<Json> {
  const person = await makePerson(client, 'staff', { name });
  assert.equal((await client.patch(`/people/${person.personId}`, { pin: '2580' })).status, 200);
  return person;
}

let people = 0;

/**
 * Pairs a browser as a till of the workspace of a key, signs a person in with their PIN, and acts there. Fails for what the browser
 * complains of, but for refusals of the API.
 */
export async function atTill(
  app: TestApp,
  act: (till: OpenTill) => Promise<void>,
  {
    client = app.client,
    device: settings = {},
    signsIn = true,
    ...options
  }: BrowserContextOptions & {
    readonly client?: Client;
    /** The body of POST /devices, besides the name. */
    readonly device?: Json;
    /** Whether a person is signed in when it begins. */
    readonly signsIn?: boolean;
  } = {},
): Promise<void> {
  people += 1;
  const person = await withPin(client, `Ada Lovelace ${people}`);
  const made = await client.post('/devices', { name: 'Till by the door', ...settings });
  assert.equal(made.status, 201, made.text);
  const viewport = { width: 390, height: 844 };
  const pair = async ({ page, open }: OpenBrowser) => {
    await page.goto(`${app.config.publicUrl}/scan/pair#${made.body.code}`);
    await page.getByRole('button', { name: 'Pair', exact: true }).click();
    await page.locator('h1', { hasText: 'Who are you?' }).waitFor();
    if (signsIn) await signInAs(page, person.name);
    await act({ page, context: page.context(), person, device: made.body, open });
  };
  await inBrowserOf(app, pair, { viewport, ...options });
}

/** Chooses a name and types the PIN on the pad. */
export async function signInAs(page: Page, name: string, pin = '2580'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  if (pin === '2580') await page.locator('h1', { hasText: 'Scanner' }).waitFor();
}

/** What a reader types that plays a keyboard: all keys of a code, and Enter, at once. */
export async function readCode(page: Page, ...codes: readonly string[]): Promise<void> {
  await page.evaluate(`for (const code of ${JSON.stringify(codes)}) (${typed})(code)`);
}

/** Runs in the page, as text, since the page's own policy allows no other way in. */
const typed = `function (text) {
  const target = document.activeElement ?? document.body;
  const press = (key, code) =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  for (const letter of text) {
    press(letter, /\\d/.test(letter) ? 'Digit' + letter : '');
    if (target instanceof HTMLInputElement) target.value += letter;
  }
  press('Enter', 'Enter');
}`;
