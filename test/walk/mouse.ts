import type { Page } from 'playwright-core';
import { type ControlRole, scopeOf, settle, type Walker } from './walker.ts';

/** Sees the page and points at what is on it. */
export function mouseWalker(page: Page): Walker {
  const control = (role: ControlRole, name: string) =>
    scopeOf(page).getByRole(role, { name, exact: true }).first();
  return {
    page,
    open: async (url) => void (await page.goto(url)),
    press: async (role, name) => control(role, name).click(),
    write: async (role, name, text) => control(role, name).fill(text),
    choose: async (name, option) => void (await control('combobox', name).selectOption(option)),
    attach: async (name, file) => control('button', name).setInputFiles(file),
    read: async (name) => control('textbox', name).inputValue(),
    escape: () => page.keyboard.press('Escape'),
    async arrive(heading) {
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await settle(page);
    },
    hear: (text) => page.getByText(text).filter({ visible: true }).first().waitFor(),
  };
}
