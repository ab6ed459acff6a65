import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findProgram } from './find-program.ts';

/** A real browser with a profile of its own. */
export interface Chromium {
  readonly context: BrowserContext;
  /** Closes it and forgets its profile. */
  close(): Promise<void>;
}

/** Where the machine's Chromium is; null where it has none. */
export function findChromium(): string | null {
  return findProgram(['chromium', 'chromium-browser', 'google-chrome']);
}

/** How long is waited for what a page shall show: far more than anything takes, also on a busy machine. */
export const longestWaitMs = 120_000;

/** What to do where there is none. */
export const howToInstall =
  'These need Chromium. On Debian and Ubuntu: apt-get install chromium; elsewhere put `chromium` or `google-chrome` on the PATH.';

/** What a page sees, and how the browser is started. */
export interface BrowserOptions extends BrowserContextOptions {
  readonly installedApp?: string;
  /** With what a browser has around its pages: questions of permission, notifications, installing; and with letters of its exact width. */
  readonly isWhole?: boolean;
  readonly lanName?: string;
  readonly flags?: readonly string[];
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts it without a window; with `installedApp`, the address of a page, as it does for an installed one; with `lanName` this
 * machine has a name that the browser trusts no more than any other of a network. It calls
 * only the pages that it is asked to open.
 */
export async function startChromium({
  installedApp,
  isWhole = installedApp !== undefined,
  lanName,
  flags = [],
  ...options
}: BrowserOptions = {}): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'punchcard-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: isWhole ? requireChromium() : lightest(),
    args: [
      ...quiet,
      ...(installedApp === undefined ? [] : [`--app=${installedApp}`]),
      ...(lanName === undefined ? [] : [`--host-resolver-rules=MAP ${lanName} 127.0.0.1`]),
      ...flags,
    ],
    ...options,
  });
  context.setDefaultTimeout(longestWaitMs);
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** One browser of this process for all that can share one: to start it costs more than most tests. */
let shared: Promise<Browser> | null = null;
let profiles = 0;
let ending: NodeJS.Timeout | undefined;
/** The test does not know which use is the last one. */
const idleMs = 3_000;

/** A profile of its own, in memory alone, in a browser that others of this process use as well. */
export async function openProfile(options: BrowserContextOptions = {}): Promise<Chromium> {
  clearTimeout(ending);
  profiles += 1;
  shared ??= chromium.launch({ executablePath: lightest(), args: quiet });
  const context = await (await shared).newContext(options);
  context.setDefaultTimeout(longestWaitMs);
  return {
    context,
    async close() {
      await context.close();
      profiles -= 1;
      if (profiles === 0) ending = setTimeout(endShared, idleMs);
    },
  };
}

function endShared(): void {
  const browser = shared;
  shared = null;
  void browser?.then((one) => one.close());
}

/** The one without windows, where there is one: it opens a page with a quarter of the work. Its letters are a little wider. */
function lightest(): string {
  return findProgram(['chromium-headless-shell']) ?? requireChromium();
}

function requireChromium(): string {
  const path = findChromium();
  if (path === null) throw new Error(howToInstall);
  return path;
}

/** Acts on a page of a browser of its own; fails with the complaints of the browser. */
export async function inBrowser(
  options: BrowserOptions,
  act: (page: Page, complaints: string[]) => Promise<void>,
): Promise<void> {
  const browser = await startChromium(options);
  try {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    await act(page, complaints);
  } finally {
    await browser.close();
  }
}
