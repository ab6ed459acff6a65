import assert from 'node:assert/strict';
import type { CDPSession, Page } from 'playwright-core';
import { longestWaitMs } from '../chromium.ts';
import { until } from '../wallets.ts';
import { type ChosenFile, settle, type Walker } from './walker.ts';

interface TreeNode {
  readonly ignored: boolean;
  readonly backendDOMNodeId?: number;
  readonly role?: { readonly value: unknown };
  readonly name?: { readonly value: unknown };
  readonly value?: { readonly value: unknown };
}

const nameOf = ({ name }: TreeNode) =>
  String(name?.value ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Sees nothing. Knows the browser's accessibility tree, where it finds each control by role and name, and hears what live
 * regions say, and where the focus goes.
 */
export class ScreenReader implements Walker {
  readonly page: Page;
  readonly #session: CDPSession;
  /** Since the last thing that was done. */
  #heard: string[] = [];
  /** A document was opened since. */
  #isNew = false;

  private constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.#session = session;
  }

  static async start(page: Page): Promise<ScreenReader> {
    const session = await page.context().newCDPSession(page);
    await session.send('Accessibility.enable');
    const reader = new ScreenReader(page, session);
    await page.exposeFunction('hear', (text: string) => reader.#heard.push(text));
    await page.addInitScript(`(${listen})()`);
    page.on('domcontentloaded', () => {
      reader.#isNew = true;
    });
    return reader;
  }

  async open(url: string): Promise<void> {
    this.#begin();
    await this.page.goto(url);
  }

  async press(role: 'button' | 'link', name: string): Promise<void> {
    await this.#goTo(role, name);
    this.#begin();
    await this.page.keyboard.press('Enter');
  }

  async write(role: 'textbox' | 'searchbox' | 'spinbutton', name: string, text: string): Promise<void> {
    await this.#goTo(role, name);
    this.#begin();
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  async choose(name: string, option: string): Promise<void> {
    await this.#goTo('combobox', name);
    await this.page.keyboard.press('Home');
    for (let step = 0; step < 40 && (await this.read(name, 'combobox')) !== option; step += 1)
      await this.page.keyboard.press('ArrowDown');
    assert.equal(await this.read(name, 'combobox'), option);
  }

  async attach(name: string, file: ChosenFile): Promise<void> {
    await this.#goTo('button', name);
    this.#begin();
    const [chooser] = await Promise.all([
      this.page.waitForEvent('filechooser'),
      this.page.keyboard.press('Space'),
    ]);
    await chooser.setFiles(file);
  }

  async read(name: string, role = 'textbox'): Promise<string> {
    return String((await this.#find(role, name)).value?.value ?? '');
  }

  async escape(): Promise<void> {
    this.#begin();
    await this.page.keyboard.press('Escape');
  }

  /** The heading has the focus, and so is read; of a document that was opened only now the title is. */
  async arrive(heading: string): Promise<void> {
    await this.#find('heading', heading);
    if (this.#isNew)
      await until('the title is read', async () => (await this.page.title()) === heading, longestWaitMs);
    else await this.hear(heading);
    await settle(this.page);
  }

  async hear(text: string): Promise<void> {
    await until(
      `"${text}" is said`,
      () => this.#heard.some((said) => said.includes(text)),
      longestWaitMs,
    ).catch(() =>
      assert.fail(`nothing said "${text}" on ${this.page.url()}, but:\n${this.#heard.join('\n')}`),
    );
  }

  #begin(): void {
    this.#heard = [];
    this.#isNew = false;
  }

  async #goTo(role: string, name: string): Promise<void> {
    const { backendDOMNodeId } = await this.#find(role, name);
    await this.#session.send('DOM.focus', { backendNodeId: backendDOMNodeId ?? 0 });
  }

  /** Waits for it to be in the tree. */
  async #find(role: string, name: string): Promise<TreeNode> {
    let all: TreeNode[] = [];
    const find = () => all.find((node) => nameOf(node) === name);
    const search = async () => {
      all = await this.#all(role).catch(() => []);
      return find() !== undefined;
    };
    await until(`the tree has the ${role} "${name}"`, search, longestWaitMs).catch(() =>
      assert.fail(`no ${role} is called "${name}" on ${this.page.url()}, but: ${all.map(nameOf).join(', ')}`),
    );
    const found = find();
    assert.ok(found);
    return found;
  }

  /** All of a role that are not hidden. */
  async #all(role: string): Promise<TreeNode[]> {
    const { nodes } = await this.#session.send('Accessibility.getFullAXTree');
    return (nodes as unknown as TreeNode[]).filter((node) => !node.ignored && node.role?.value === role);
  }
}

/**
 * Runs in each page before its own scripts: records what assistive technology announces. A region announces what changes in
 * it while it is there and reachable; one that comes together with its words is silent, unless it is an alert.
 */
const listen = `function () {
  if (self !== top) return;
  const regions = '[role="status"], [role="alert"], [role="log"], [aria-live="polite"], [aria-live="assertive"], output';
  const say = (text) => {
    const words = (text ?? '').replace(/\\s+/g, ' ').trim();
    if (words !== '') hear(words);
  };
  const isReachable = (element) => {
    const dialogs = [...document.querySelectorAll('dialog:modal')];
    return element.isConnected && element.checkVisibility() && (dialogs.length === 0 || dialogs.at(-1).contains(element));
  };
  const isNew = (element, changes) => changes.some(({ addedNodes }) => [...addedNodes].some((one) => one === element || one.contains(element)));
  new MutationObserver((changes) => {
    const spoken = new Set();
    for (const { target, addedNodes, type } of changes) {
      if (type === 'childList' && addedNodes.length === 0) continue;
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest(regions);
      if (region && isReachable(region) && !isNew(region, changes)) spoken.add(region);
      for (const added of addedNodes)
        if (added instanceof Element)
          for (const alert of [added, ...added.querySelectorAll('[role="alert"]')])
            if (alert.matches('[role="alert"]') && isReachable(alert)) spoken.add(alert);
    }
    for (const region of spoken) say(region.textContent);
  }).observe(document, { subtree: true, childList: true, characterData: true });
  const textOf = (ids) => (ids ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  let dialog = null;
  document.addEventListener('focusin', ({ target }) => {
    const around = target.closest('dialog');
    if (around !== null && around !== dialog) say(textOf(around.getAttribute('aria-labelledby')));
    dialog = around;
    say(target.getAttribute('aria-label') ?? (textOf(target.getAttribute('aria-labelledby')) || target.labels?.[0]?.textContent || target.textContent));
    say(textOf(target.getAttribute('aria-describedby')));
  });
}`;
