import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserOf, inAppBrowser, ownBrowserAddress } from '../web/scanner/camera/browsers.ts';
import { codeIn, detected, readsAllFormats } from '../web/scanner/camera/code-formats.ts';
import { SeenCodes } from '../web/scanner/camera/seen-codes.ts';
import { troubleOf } from '../web/scanner/camera/trouble.ts';

describe('codes in view', () => {
  it('count once until they were out of sight for two seconds', () => {
    const seen = new SeenCodes();
    seen.begin(1_000);
    assert.deepEqual(
      [1_000, 1_100, 2_900, 4_800].map((now) => seen.look('A', now)),
      [true, false, false, false],
    );
    assert.equal(seen.look(null, 5_000), false);
    assert.equal(seen.look('A', 6_700), false);
    assert.equal(seen.look('A', 8_700), true);
  });

  it('are distinguished, also where two lie side by side', () => {
    const seen = new SeenCodes();
    seen.begin(0);
    const looks = ['A', 'B', 'A', 'B', 'A'].map((text, turn) => seen.look(text, turn * 400));
    assert.deepEqual(looks, [true, true, false, false, false]);
  });

  it('stay in view while the camera is off', () => {
    const seen = new SeenCodes();
    seen.begin(0);
    assert.equal(seen.look('A', 100), true);
    // A card was shown for a minute.
    seen.begin(60_000);
    assert.equal(seen.look('A', 60_100), false);
    seen.look(null, 61_000);
    seen.begin(120_000);
    assert.equal(seen.look('A', 120_900), false);
    seen.begin(180_000);
    seen.look(null, 182_000);
    assert.equal(seen.look('A', 182_100), true);
  });
});

describe("a browser's own detector", () => {
  const detector = (...formats: string[]) => ({ getSupportedFormats: async () => formats });

  it('is used where it reads all formats of cards', async () => {
    assert.equal(
      await readsAllFormats(
        detector('aztec', 'codabar', 'code_128', 'code_39', 'code_93', 'ean_13', 'itf', 'pdf417', 'qr_code'),
      ),
      true,
    );
  });

  it('may take an EAN-13 that begins with 0 for a UPC-A, and see codes that no card has', () => {
    assert.ok(detected.includes('upc_a'));
    assert.deepEqual(codeIn('036000291452', 'upc_a'), { text: '0036000291452', format: 'ean13' });
    assert.deepEqual(codeIn('123456', 'itf'), { text: '123456', format: 'itf' });
    assert.deepEqual(codeIn('A40-156b', 'codabar'), { text: '40-156', format: 'codabar' });
    assert.deepEqual(codeIn('A40B', 'code_39'), { text: 'A40B', format: 'code39' });
    assert.equal(codeIn('40063813', 'ean_8'), null);
    assert.equal(codeIn('', 'qr_code'), null);
  });

  it('is left alone where it reads some, none, or fails', async () => {
    assert.equal(
      await readsAllFormats(detector('aztec', 'code_128', 'code_39', 'ean_13', 'itf', 'pdf417', 'qr_code')),
      false,
    );
    assert.equal(await readsAllFormats(detector()), false);
    const failing = { getSupportedFormats: () => Promise.reject(new Error('Service unavailable')) };
    assert.equal(await readsAllFormats(failing), false);
  });
});

const agents = {
  chromeAndroid:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  samsung:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  firefoxAndroid: 'Mozilla/5.0 (Android 15; Mobile; rv:144.0) Gecko/144.0 Firefox/144.0',
  safariIos:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  otherIos:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  chromium:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  other: 'Lynx/2.9.0',
} as const;
const instagram =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 Instagram 400.0.0.21.75';
const webView =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP4A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36';

describe('a camera that does not open', () => {
  const trouble = (name: string, userAgent: string = agents.chromium, isSecureContext = true) =>
    troubleOf(new DOMException('', name), { isSecureContext, userAgent });

  it('says why', () => {
    assert.equal(trouble('NotAllowedError'), 'refused');
    assert.equal(trouble('NotFoundError'), 'none');
    assert.equal(trouble('NotReadableError'), 'busy');
    assert.equal(trouble('NotSupportedError'), 'unsupported');
    assert.equal(trouble('TypeError'), 'failed');
    assert.equal(troubleOf('nothing of the kind', { isSecureContext: true, userAgent: '' }), 'failed');
    assert.equal(trouble('NotSupportedError', agents.chromium, false), 'insecure');
  });

  it('is that of an app where the page was opened in one', () => {
    for (const agent of [instagram, webView]) {
      assert.equal(trouble('NotAllowedError', agent), 'in-app');
      assert.equal(trouble('NotSupportedError', agent), 'in-app');
      assert.equal(trouble('NotReadableError', agent), 'busy');
    }
    for (const agent of Object.values(agents)) assert.equal(inAppBrowser(agent), false, agent);
  });

  it('is allowed in a way that differs by browser', () => {
    for (const [browser, agent] of Object.entries(agents)) assert.equal(browserOf(agent), browser);
  });

  it("leads out of an app to the phone's own browser", () => {
    const page = 'https://cards.example.com/scan';
    assert.equal(ownBrowserAddress(page, instagram), 'x-safari-https://cards.example.com/scan');
    assert.equal(ownBrowserAddress(page, webView), 'intent://cards.example.com/scan#Intent;scheme=https;end');
    assert.equal(ownBrowserAddress(page, agents.chromium), null);
  });
});
