import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { cardColors, contrast } from '../cards/card-colors.ts';
import { type CardView, cardPage, type Platform, platformOf } from './page.ts';
import { readBarcode } from './read-barcode.fixture.ts';

const platforms: readonly Platform[] = ['apple', 'android', 'desktop'];

const card: CardView = {
  organization: 'Blue Bean Coffee',
  title: 'Blue Bean Club',
  type: 'loyalty',
  details: 'Ten stamps, one coffee.',
  terms: 'One stamp a drink.\nNot to be exchanged for cash.',
  message: 'Double stamps on Monday.',

  actions: [],
  modules: [],
  fields: [
    { key: 'member', label: 'Member', value: '0417', section: 'header' },
    { key: 'points', label: 'Points', value: '1,250', section: 'primary' },
    { key: 'tier', label: 'Tier', value: 'Gold', section: 'secondary' },
    { key: 'since', label: 'Since', value: 'May 2021', section: 'auxiliary' },
    { key: 'hours', label: 'Opening hours', value: '7:00 to 18:00', section: 'back' },
  ],
  stamps: null,
  images: { logo: null, banner: null, thumbnail: null },
  icon: null,
  badges: new Map(),
  colors: { background: '#10324a', foreground: '#ffffff', label: '#c8d7e0' },
  barcode: { format: 'qr', value: '7Q4MX2K9PLA' },
  holderName: 'Ada Lovelace',
  expiresAt: new Date('2027-12-31T23:59:00Z'),
  expired: false,
  voided: false,
  locale: 'en',
  reader: 'en',
  links: {
    add: 'https://wallet.example/p/secret',
    apple: 'https://wallet.example/p/secret/apple.pkpass',
    google: 'https://wallet.example/p/secret/google',
    qr: 'https://wallet.example/p/secret/qr.svg',
    card: 'https://wallet.example/p/secret/card',
  },
  development: false,
};

function page(changes: Partial<CardView> = {}, platform: Platform = 'apple'): string {
  return cardPage({ ...card, ...changes }, platform).html;
}

/** The words of a page in reading order, tags and entities resolved, drawings left out. */
function text(html: string): string {
  return html
    .replace(/^[\s\S]*<body>/, '')
    .replace(/<svg[\s\S]*?<\/svg>/g, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .trim();
}

function links(html: string): [href: string | undefined, label: string][] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].map(([, href, label = '']) => [
    href,
    text(label),
  ]);
}

function drawings(html: string): string[] {
  return html.match(/<svg[^>]* role="img"[\s\S]*?<\/svg>/g) ?? [];
}

const toApple = [card.links.apple, 'Add to Apple Wallet'];
const toGoogle = [card.links.google, 'Add to Google Wallet'];
const toWeb = [card.links.card, 'Keep the web card'];

describe('the page of a card', () => {
  test('says everything that there is to know, in reading order', () => {
    assert.equal(
      text(page()),
      'Hello Ada Lovelace Your card is ready Add it to your phone and always have it with you. ' +
        'B Blue Bean Coffee Member 0417 Blue Bean Club Points 1,250 Tier Gold Since May 2021 7Q4MX2K9PLA ' +
        'Add to Apple Wallet Nothing happens? Open this page in Safari. ' +
        'Another phone? Add to Google Wallet ' +
        'Without a wallet app Keep the web card The web card needs no app and no account. ' +
        'About this card News Double stamps on Monday. Issued to Ada Lovelace Valid until December 31, 2027 at 11:59 PM UTC ' +
        'Opening hours 7:00 to 18:00 Details Ten stamps, one coffee. ' +
        'Terms One stamp a drink. Not to be exchanged for cash. ' +
        'This page is meant for you alone: anyone who has its link can add the card.',
    );
  });

  test('leaves out what the card does not have', () => {
    const bare = page({
      details: null,
      terms: null,
      message: null,
      fields: [
        { key: 'tier', label: 'Tier', value: null, section: 'secondary' },
        { key: 'note', label: 'Note', value: '', section: 'back' },
      ],
      colors: { background: null, foreground: null, label: null },
      barcode: null,
      holderName: null,
      expiresAt: null,
      locale: null,
    });
    assert.doesNotMatch(bare, /<dl|<figure|Tier|Note|About|Hello/);
    assert.match(text(bare), /^Your card is ready .* Blue Bean Club Add to Apple Wallet/);
  });

  test('puts the button of the platform first', () => {
    assert.deepEqual(links(page({}, 'apple')), [toApple, toGoogle, toWeb]);
    assert.deepEqual(links(page({}, 'android')), [toGoogle, toApple, toWeb]);
    assert.deepEqual(links(page({}, 'desktop')), [
      [card.links.qr, 'Show only the QR code'],
      toApple,
      toGoogle,
      toWeb,
    ]);
  });

  test('without Google Wallet, Android keeps the web card', () => {
    const without = { links: { ...card.links, google: null } };
    for (const platform of platforms) assert.doesNotMatch(page(without, platform), /Google/);
    assert.deepEqual(links(page(without, 'android')), [toWeb, toApple]);
    assert.match(
      text(page(without, 'android')),
      /Keep the web card The web card needs no app and no account\./,
    );
    assert.deepEqual(links(page(without, 'apple')), [toApple, toWeb]);
  });

  test('on the desktop shows a code that a phone reads as the link', async () => {
    const [ofCard = '', ofLink = ''] = drawings(page({}, 'desktop'));
    assert.deepEqual(await readBarcode(ofLink), [{ format: 'QRCode', text: card.links.add }]);
    assert.deepEqual(await readBarcode(ofCard), [{ format: 'QRCode', text: '7Q4MX2K9PLA' }]);
    assert.match(ofLink, /<title>QR code that opens this page on your phone<\/title>/);
    assert.equal(drawings(page({}, 'apple')).length, 1);
  });

  test('draws each kind of barcode so that it can be scanned from the card', async () => {
    const kinds = {
      qr: ['QRCode', 'MEMBER-88413', 'QR code'],
      pdf417: ['PDF417', 'MEMBER-88413', 'PDF417 barcode'],
      aztec: ['Aztec', 'MEMBER-88413', 'Aztec code'],
      code128: ['Code128', 'MEMBER-88413', 'Code 128 barcode'],
      ean13: ['EAN13', '4006381333931', 'EAN-13 barcode'],
      code39: ['Code39', 'MEMBER-88413', 'Code 39 barcode'],
      codabar: ['Codabar', '88413-7', 'Codabar barcode'],
      itf: ['ITF', '884137', 'ITF barcode'],
    } as const;
    for (const [format, [kind, value, name]] of Object.entries(kinds)) {
      const shown = page({ barcode: { format: format as keyof typeof kinds, value } });
      const [drawing = ''] = drawings(shown);
      assert.deepEqual(await readBarcode(drawing), [{ format: kind, text: value }]);
      assert.match(drawing, new RegExp(`<title>${name}</title>`));
      assert.match(shown, new RegExp(`<figcaption><bdi>${value}</bdi></figcaption>`));
    }
  });

  test('a value that its symbol cannot hold is shown in letters, so that a clerk can type it', () => {
    const shown = page({ barcode: { format: 'code128', value: '会員42' } });
    assert.match(shown, /<figure class="code linear"><figcaption><bdi>会員42<\/bdi>/);
    assert.deepEqual(drawings(shown), []);
  });

  test('each kind of card has its shape and its word', () => {
    const ready = {
      loyalty: 'Your card is ready',
      generic: 'Your card is ready',
      coupon: 'Your coupon is ready',
      eventTicket: 'Your ticket is ready',
      giftCard: 'Your gift card is ready',
    };
    for (const type of Object.keys(ready) as CardView['type'][]) {
      const html = page({ type });
      assert.match(html, new RegExp(`<h1>${ready[type]}</h1>`));
      assert.match(html, new RegExp(`<article class="card ${type}"`));
    }
  });
});

describe('a card that is not good', () => {
  test('voided: says so, is grey, has no barcode and no way to add it', () => {
    for (const platform of platforms) {
      const html = page({ voided: true, expired: true, development: true }, platform);
      assert.match(text(html), /This card is no longer valid\. If you think .* ask Blue Bean Coffee \./);
      assert.doesNotMatch(text(html), /[Ee]xpired|Valid until|test card|ready|add|Add|Scan/);
      assert.deepEqual([links(html), drawings(html)], [[], []]);
      assert.doesNotMatch(html, /#10324a|7Q4MX2K9PLA/);
      assert.match(html, /<main class="voided">/);
    }
  });

  test('expired: says so and since when, is grey, and can still be added', () => {
    const html = page({ expired: true, expiresAt: new Date('2024-12-31T23:59:00Z') });
    assert.match(text(html), /This card has expired\. Please ask Blue Bean Coffee whether/);
    assert.match(text(html), /Expired on December 31, 2024/);
    assert.doesNotMatch(html, /#10324a|no longer valid|Valid until/);
    assert.deepEqual(links(html), [toApple, toGoogle, toWeb]);
  });

  test('signed with a development certificate: says that phones refuse it', () => {
    for (const platform of platforms) {
      const warning =
        /This is a test card\. It is signed with a development certificate, so iPhones will refuse/;
      assert.match(text(page({ development: true }, platform)), warning);
      assert.doesNotMatch(text(page({}, platform)), /test card/);
    }
  });
});

describe('what a shop or a holder writes stays text', () => {
  const hostile = `"'></title></style></svg><script>alert(1)</script><img src=x onerror=alert(1)><!--&lt;\${7*7}`;
  const harmless = 'A'.repeat(hostile.length);
  const field = (changes: object) => [
    { key: 'key', label: 'Label', value: 'Value', section: 'primary' as const, ...changes },
  ];
  const places: Record<string, (written: string) => Partial<CardView>> = {
    organization: (organization) => ({ organization, development: true }),
    title: (title) => ({ title }),
    'title of a voided card': (title) => ({ title, voided: true }),
    details: (details) => ({ details }),
    terms: (terms) => ({ terms }),
    message: (message) => ({ message }),
    holderName: (holderName) => ({ holderName }),
    'field label': (label) => ({ fields: field({ label }) }),
    'field key': (key) => ({ fields: field({ key, label: '' }) }),
    'field value': (value) => ({ fields: field({ value }) }),
    'header value': (value) => ({ fields: field({ value, section: 'header' }) }),
    'back label and value': (value) => ({ fields: field({ value, label: value, section: 'back' }) }),
    'back key': (key) => ({ fields: field({ key, label: '', section: 'back' }) }),
    'unencodable barcode': (value) => ({ barcode: { format: 'code128', value: `会${value.slice(0, 60)}` } }),
    barcode: (value) => ({ barcode: { format: 'qr', value: value.slice(0, 60) } }),
    links: (link) => ({
      links: { add: 'https://wallet.example', apple: link, google: link, qr: link, card: link },
    }),
  };

  for (const [place, put] of Object.entries(places)) {
    test(place, () => {
      for (const platform of platforms) {
        assert.deepEqual(structure(page(put(hostile), platform)), structure(page(put(harmless), platform)));
      }
    });
  }

  test('a colour or a locale that is none counts as not given', () => {
    const colors = {
      background: hostile,
      foreground: '#fff}body{display:none',
      label: 'url(//evil.example)',
    };
    const none = { background: null, foreground: null, label: null };
    assert.equal(page({ colors }), page({ colors: none }));
    assert.equal(page({ locale: hostile }), page({ locale: null }));
  });

  /** Every tag of a page with the names of its attributes; fails when one is not closed where it should be. */
  function structure(html: string): string[] {
    const open: string[] = [];
    const tags = [...html.matchAll(/<(\/?)([a-zA-Z!][\w-]*)((?:[^>"]|"[^"]*")*?)(\/?)>/g)];
    const names = tags.map(([, slash, name = '', attributes = '', selfClosing]) => {
      if (slash === '/') assert.equal(open.pop(), name);
      else if (selfClosing !== '/' && !['!doctype', 'meta'].includes(name)) open.push(name);
      return `${slash}${name} ${attributes.replace(/"[^"]*"/g, '""').trim()}`;
    });
    assert.deepEqual(open, []);
    return names;
  }
});

describe('a strict content security policy lets the page through', () => {
  const views: Partial<CardView>[] = [
    {},
    { voided: true },
    { expired: true },
    { development: true, locale: 'ar' },
  ];

  test('the one style has the announced hash', () => {
    for (const view of views) {
      const { html, styleHash } = cardPage({ ...card, ...view }, 'desktop');
      const styles = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
      assert.equal(styles.length, 1);
      assert.equal(
        styleHash,
        `sha256-${createHash('sha256')
          .update(styles[0] ?? '')
          .digest('base64')}`,
      );
    }
    assert.notEqual(
      cardPage(card, 'apple').styleHash,
      cardPage({ ...card, colors: { ...card.colors, background: '#000000' } }, 'apple').styleHash,
    );
  });

  test('it runs nothing, loads nothing and points nowhere but to its own links', () => {
    const own = new Set(Object.values(card.links));
    for (const view of views) {
      for (const platform of platforms) {
        const html = page(view, platform);
        assert.doesNotMatch(html, /<(script|iframe|object|embed|link|base|form|img|use|image)\b/i);
        assert.doesNotMatch(html, /\s(style|src|srcset|action|poster|data|xlink:href|on[a-z]+)=/i);
        assert.doesNotMatch(html, /url\(|@import|javascript:/i);
        const addresses =
          html.replaceAll('xmlns="http://www.w3.org/2000/svg"', '').match(/\w*:?\/\/[^"\s<]*/g) ?? [];
        assert.deepEqual(
          addresses.filter((address) => !own.has(address)),
          [],
        );
      }
    }
  });
});

describe('the page can be read by everyone', () => {
  test('its own words follow the reader where they are translated, and are English elsewhere', () => {
    const heading = (reader: string) => {
      const html = page({ reader });
      return [/<html lang="([^"]*)"/.exec(html)?.[1], /<h1>(.*?)<\/h1>/.exec(html)?.[1]];
    };
    assert.deepEqual(heading('de_AT'), ['de-AT', 'Ihre Karte ist bereit']);
    assert.deepEqual(heading('fr'), ['fr', 'Votre carte est prête']);
    assert.deepEqual(heading('es-MX'), ['es-MX', 'Tu tarjeta está lista']);
    assert.deepEqual(heading('it'), ['it', 'La tua carta è pronta']);
    assert.deepEqual(heading('ja'), ['ja', 'カードの準備ができました']);
    assert.deepEqual(heading('sv'), ['en', 'Your card is ready']);
    assert.deepEqual(heading('constructor'), ['en', 'Your card is ready']);
  });

  test('the shop’s words are marked with the locale, and its card runs in the direction of its script', () => {
    const face = (locale: string | null) =>
      /<article class="card loyalty" [^>]*?>/.exec(page({ locale }))?.[0];
    assert.match(face('ar-EG') ?? '', / lang="ar-EG" dir="rtl">$/);
    assert.match(face('he') ?? '', / lang="he" dir="rtl">$/);
    assert.match(face('az-Arab') ?? '', / lang="az-Arab" dir="rtl">$/);
    assert.match(face('ja') ?? '', / lang="ja" dir="ltr">$/);
    assert.match(face(null) ?? '', /"card-title" dir="ltr">$/);
    assert.match(page({ locale: 'ja' }), /<dd dir="auto" lang="ja">Ten stamps/);
    assert.match(page({ organization: 'مقهى القمر' }), /<bdi>مقهى القمر<\/bdi>/);
  });

  test('a date is written in the language of the page, with its moment for machines', () => {
    const written = page({ reader: 'de' });
    assert.match(written, /<time datetime="2027-12-31T23:59:00\.000Z">31\. Dezember 2027/);
  });

  test('landmarks, one main heading, and names for what has no words', () => {
    const html = page({}, 'desktop');
    assert.equal(html.match(/<main\b/g)?.length, 1);
    assert.equal(html.match(/<footer\b/g)?.length, 1);
    assert.equal(html.match(/<h1\b/g)?.length, 1);
    for (const [, id] of html.matchAll(/aria-labelledby="([^"]*)"/g)) {
      assert.equal(html.split(` id="${id}"`).length, 2, `#${id} exists once`);
    }
    for (const [drawing] of html.matchAll(/<svg[\s\S]*?<\/svg>/g)) {
      assert.match(drawing, /aria-hidden="true"|role="img"[^>]*><title>[^<]+<\/title>/);
    }
    assert.match(
      page({ fields: [{ key: 'tier', label: '', value: 'Gold', section: 'secondary' }] }),
      /<dt class="unseen">tier<\/dt>/,
    );
  });

  test('motion and the dark scheme are left to the reader', () => {
    const css = /<style>([\s\S]*?)<\/style>/.exec(page())?.[1] ?? '';
    const outside = css.replace(/@media \(prefers-reduced-motion: no-preference\) \{[\s\S]*?\n\}/g, '');
    assert.doesNotMatch(outside, /animation|transition|@keyframes/);
    assert.match(css, /@media \(prefers-color-scheme: dark\)/);
  });

  test('the page’s own texts have the contrast that WCAG asks for, in both schemes', () => {
    const css = /<style>([\s\S]*?)<\/style>/.exec(page())?.[1] ?? '';
    const [light, dark] = [...css.matchAll(/--paper:[^}]*/g)].map(([block]) => (name: string) => {
      return new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(block)?.[1] ?? assert.fail(`--${name} is missing`);
    });
    for (const color of [light, dark]) {
      assert.ok(color);
      for (const [ink, ground] of [
        ['ink', 'paper'],
        ['ink', 'raised'],
        ['soft', 'paper'],
        ['soft', 'raised'],
        ['alert-ink', 'alert'],
        ['note-ink', 'note'],
      ] as const) {
        assert.ok(contrast(color(ink), color(ground)) >= 4.5, `${ink} on ${ground}`);
      }
    }
  });

  test('a card’s unreadable colours are replaced in the style', () => {
    const css = page({ colors: { background: '#f4b942', foreground: '#ffffff', label: '#aa7700' } });
    const { foreground, label } = cardColors({ background: '#f4b942', foreground: null, label: null });
    assert.match(css, new RegExp(`--card: #f4b942;.*--card-ink: ${foreground}; --card-label: ${label};`));
  });
});

describe('platformOf', () => {
  const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const agents: Record<Platform, string[]> = {
    apple: [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) ${safari} Version/17.5 Mobile/15E148 Safari/604.1`,
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${safari} CriOS/130.0.6723.90 Mobile/15E148 Safari/604.1`,
      `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${safari} Mobile/21E219 Instagram 325.0.3.34.90 (iPhone14,5; iOS 17_4; de_DE)`,
      'Mozilla/5.0 (iPad; CPU OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1.2 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} CriOS/130 Version/11.1.1 Safari/605.1.15`,
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) ${safari} FxiOS/132.0 Safari/605.1.15`,
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_6) ${safari} Mobile/15E148`,
      'Mozilla/5.0 (Apple Watch6; CPU Apple Watch WatchOS like Mac OS X; WatchApp)',
    ],
    android: [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
      'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0',
      'Mozilla/5.0 (Linux; Android 13; SM-X906C) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
      'Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16',
    ],
    desktop: [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${safari} Version/17.5 Safari/605.1.15`,
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063',
      'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537',
      'curl/8.9.1',
      '',
    ],
  };
  for (const platform of platforms) {
    for (const agent of agents[platform]) {
      test(`${platform}: ${agent || 'nothing'}`, () => assert.equal(platformOf(agent), platform));
    }
  }
  test('desktop: no User-Agent', () => assert.equal(platformOf(undefined), 'desktop'));
});
