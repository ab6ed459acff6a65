/** Browsers that differ in how one allows them the camera. */
export type Browser =
  | 'chromeAndroid'
  | 'samsung'
  | 'firefoxAndroid'
  | 'safariIos'
  | 'otherIos'
  | 'firefox'
  | 'safari'
  | 'chromium'
  | 'other';

/** Which browser this is, by what it says of itself: for words alone. */
export function browserOf(userAgent: string): Browser {
  return kinds.find(([, sign]) => sign.test(userAgent))?.[0] ?? 'other';
}

/** From the particular to the general: most say that they are others as well. */
const kinds: readonly (readonly [Browser, RegExp])[] = [
  ['otherIos', /(?:iPhone|iPad|iPod).*(?:CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo)/],
  ['safariIos', /iPhone|iPad|iPod/],
  ['samsung', /SamsungBrowser/],
  ['firefoxAndroid', /Android.*Firefox/],
  ['chromeAndroid', /Android.*Chrome/],
  ['firefox', /Firefox/],
  ['chromium', /Chrome|Chromium|Edg/],
  ['safari', /Safari/],
];

/** Whether a page was opened inside of another app, which often keeps the camera to itself. */
export function inAppBrowser(userAgent: string): boolean {
  return /FBA[NV]|FB_IAB|Instagram|Line\/|MicroMessenger|musical_ly|BytedanceWebview|Snapchat|LinkedInApp|Pinterest|Twitter|GSA\/|; wv\)/.test(
    userAgent,
  );
}

/** An address that opens this page in the phone's own browser; null where no such is known. */
export function ownBrowserAddress(page: string, userAgent: string): string | null {
  const address = page.replace(/^https:\/\//, '');
  if (/Android/.test(userAgent)) return `intent://${address.replace(/#.*$/, '')}#Intent;scheme=https;end`;
  return /iPhone|iPad|iPod/.test(userAgent) ? `x-safari-${page}` : null;
}
