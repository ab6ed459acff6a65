import type { Locator, Page } from 'playwright-core';

/** The role of a control in the accessibility tree. */
export type ControlRole = 'button' | 'link' | 'textbox' | 'searchbox' | 'spinbutton' | 'combobox';

export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/**
 * A person who works in the console in one way of their own: with a mouse, by keyboard, or with a screen reader. Names are
 * whole; where a dialog is open, only what is in it can be reached.
 */
export interface Walker {
  readonly page: Page;
  /** Opens an address from elsewhere: a mail, a note, a bookmark. */
  open(url: string): Promise<void>;
  press(role: 'button' | 'link', name: string): Promise<void>;
  /** Writes into a field, whose text is replaced. */
  write(role: 'textbox' | 'searchbox' | 'spinbutton', name: string, text: string): Promise<void>;
  choose(name: string, option: string): Promise<void>;
  /** Chooses a file; a field for one is a button to all. */
  attach(name: string, file: ChosenFile): Promise<void>;
  /** The text of a field. */
  read(name: string): Promise<string>;
  /** Leaves a dialog or a menu. */
  escape(): Promise<void>;
  /** Waits for a page with this heading to be there, and to say so. */
  arrive(heading: string): Promise<void>;
  /** Waits for these words of the console, said since the last thing that was done. */
  hear(text: string): Promise<void>;
}

/** The topmost dialog, or else the page; looked up on each use. */
export function scopeOf(page: Page): Locator {
  return page.locator('body:not(:has(dialog[open]))').or(page.locator('dialog[open]').last());
}

/** Waits for a page to have all that it shows, however long that takes on a busy machine. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main:not(:has([aria-busy="true"], .skeleton))').waitFor();
}
