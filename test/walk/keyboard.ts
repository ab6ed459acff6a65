import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { longestWaitMs } from '../chromium.ts';
import { until } from '../wallets.ts';
import { scopeOf, settle, type Walker } from './walker.ts';

/** No page has as many places that Tab comes to. */
const mostStops = 400;
const settlesWithinMs = 20_000;

/** What functions use that run in the page. */
interface InPage {
  readonly document: {
    readonly activeElement: { compareDocumentPosition(other: unknown): number };
  };
}

/** Where the focus is. */
interface Focus {
  readonly what: string;
  /** Why a sighted person cannot see where it is; empty where they can. */
  readonly problem: string;
  /** It comes before the one where the focus was last, in the order of the document. */
  readonly isBefore: boolean;
}

/**
 * Sees the page and has a keyboard, nothing else. Every stop on the way has to be in sight and marked, in the order of the
 * document; and the focus must not get lost by what was done.
 */
export class KeyboardWalker implements Walker {
  readonly page: Page;
  /** Nothing has the focus in a document that was opened only now. */
  #isNew = true;
  #presses = 0;

  constructor(page: Page) {
    this.page = page;
    page.on('domcontentloaded', () => {
      this.#isNew = true;
    });
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async press(role: 'button' | 'link', name: string): Promise<void> {
    await this.#goTo(scopeOf(this.page).getByRole(role, { name, exact: true }).first(), name);
    this.#presses += 1;
    // Buttons answer to both keys, links to one.
    await this.page.keyboard.press(role === 'link' || this.#presses % 2 === 0 ? 'Enter' : 'Space');
  }

  async write(role: 'textbox' | 'searchbox' | 'spinbutton', name: string, text: string): Promise<void> {
    await this.#goTo(scopeOf(this.page).getByRole(role, { name, exact: true }).first(), name);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  async choose(name: string, option: string): Promise<void> {
    const select = scopeOf(this.page).getByRole('combobox', { name, exact: true }).first();
    await this.#goTo(select, name);
    const options = await select.locator('option').allInnerTexts();
    const at = options.indexOf(option);
    assert.notEqual(at, -1, `${name} has no ${option}`);
    await this.page.keyboard.press('Home');
    for (let step = 0; step < at; step += 1) await this.page.keyboard.press('ArrowDown');
    assert.equal(await select.inputValue(), await select.locator('option').nth(at).getAttribute('value'));
  }

  async attach(
    name: string,
    file: { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
  ): Promise<void> {
    await this.#goTo(scopeOf(this.page).getByRole('button', { name, exact: true }).first(), name);
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.page.keyboard.press('Space'),
    ]);
    await chooser.setFiles(file);
  }

  async read(name: string): Promise<string> {
    return scopeOf(this.page).getByRole('textbox', { name, exact: true }).inputValue();
  }

  escape(): Promise<void> {
    return this.page.keyboard.press('Escape');
  }

  async arrive(heading: string): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await settle(this.page);
  }

  async hear(text: string): Promise<void> {
    await this.page.getByText(text).filter({ visible: true }).first().waitFor();
  }

  /** Waits for the focus to be somewhere, and returns where. */
  async focus(): Promise<string> {
    if (!this.#isNew)
      await until('something has the focus', async () => (await this.#look()) !== null, longestWaitMs).catch(
        () => assert.fail(`the focus is lost on ${this.page.url()}`),
      );
    return (await this.#look())?.what ?? '';
  }

  /** Presses Tab until the focus is there; backwards where that is the way. */
  async #goTo(target: Locator, name: string): Promise<void> {
    await target.waitFor({ state: 'attached' });
    await this.focus();
    const isThere = () =>
      target.evaluate((element) => element === (globalThis as unknown as InPage).document.activeElement);
    if (await isThere()) return;
    const isAbove = await target.evaluate(
      (element) =>
        ((globalThis as unknown as InPage).document.activeElement.compareDocumentPosition(element) & 2) !== 0,
    );
    let turns = 0;
    for (let stop = 0; stop < mostStops; stop += 1) {
      await this.page.keyboard.press(isAbove ? 'Shift+Tab' : 'Tab');
      const focus = await this.#look();
      this.#isNew = false;
      if (focus === null) {
        // Past the last stop comes the browser itself.
        turns += 1;
      } else {
        if (focus.problem !== '') await this.#seeFocus();
        if (focus.isBefore !== isAbove) turns += 1;
      }
      if (await isThere()) return;
      assert.ok(turns < 4, `${name} cannot be reached on ${this.page.url()}`);
    }
    assert.fail(`${name} is too far on ${this.page.url()}`);
  }

  /** A page may have to settle, and what is said for a while to go away. */
  async #seeFocus(): Promise<void> {
    let last = await this.#look();
    await until(
      'it can be seen where the focus is',
      async () => {
        last = await this.#look();
        return last?.problem === '';
      },
      settlesWithinMs,
    ).catch(() => assert.fail(`${last?.what}: ${last?.problem} on ${this.page.url()}`));
  }

  async #look(): Promise<Focus | null> {
    return (await this.page.evaluate(`(${look})()`)) as Focus | null;
  }
}

/** Runs in the page, as text: its policy lets in no other scripts. */
const look = `function () {
  const element = document.activeElement;
  const before = globalThis.lastFocus;
  if (element === null || element === document.body) return null;
  globalThis.lastFocus = element;
  const isBefore = before?.isConnected === true && Boolean(before.compareDocumentPosition(element) & 2);
  const what = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim();
  // A field that is not drawn itself has a label that is.
  const drawn = [element, ...(element.labels ?? [])].filter((one) => one.getBoundingClientRect().width > 2);
  const isOutlined = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  };
  // Of a link that fills a card the card has the mark.
  let isMarked = drawn.some(isOutlined);
  for (let one = element.parentElement; one !== null; one = one.parentElement) isMarked ||= isOutlined(one);
  const isInSight = drawn.some((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 3, top + 3], [right - 3, bottom - 3], [left + 3, bottom - 3], [right - 3, top + 3]];
    return points.some(([x, y]) => {
      const there = document.elementFromPoint(x, y);
      return there !== null && (one.contains(there) || there.contains(one));
    });
  });
  const problem = !isMarked ? 'no mark shows that it has the focus' : isInSight ? '' : 'it has the focus, and is out of sight';
  return { what: what.slice(0, 60), problem, isBefore };
}`;
