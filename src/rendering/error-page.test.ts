import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { errors } from '../errors.ts';
import { errorPage } from './error-page.ts';

function paragraphs(page: string): string[] {
  return [...page.matchAll(/<(?:h1|p)[^>]*>(.*?)<\/(?:h1|p)>/g)].map((match) =>
    (match[1] ?? '').replace(/<[^>]*>/g, ''),
  );
}

test('a link that opens nothing: what to do, and the number for the shop', () => {
  const { html: page } = errorPage(
    { status: 404, code: 'instance_not_found', message: 'No instance matches.' },
    'req_7',
  );
  assert.deepEqual(paragraphs(page), [
    'This link does not work',
    'Part of it may be missing, or the card was taken back.',
    'Open the link again from the message that it came in. If that does not help, ask the shop for a new one.',
    'If you ask for help, give this number: req_7',
  ]);
});

test('a failure on our side shows nothing of its message', () => {
  for (const status of [500, 502, 503, 504]) {
    const { html: page } = errorPage(
      { status, code: 'internal_error', message: 'relation "cards" missing at db.ts:9' },
      'req_8',
    );
    assert.doesNotMatch(page, /relation|db\.ts|internal_error/);
    assert.match(page, /wait a minute/);
    assert.match(page, /<code>req_8<\/code>/);
  }
});

test('a wallet that is not set up and a card that is not given out are no broken links', () => {
  const titles = (['wallet_not_configured', 'pass_not_active', 'pool_exhausted', 'overloaded'] as const).map(
    (code) => paragraphs(errorPage({ status: errors[code][0], code, message: '' }, 'r').html)[0],
  );
  assert.deepEqual(titles, [
    'This wallet is not available here',
    'This card is not available at the moment',
    'They are all gone',
    'Too many people at once',
  ]);
});

test('another refusal is shown with its message, escaped', () => {
  const message = '`email` is <b>no</b> address; give one like ada@example.com.';
  const { html: page } = errorPage(
    { status: 400, code: 'invalid_request', message },
    '"><script>alert(1)</script>',
  );
  assert.equal(
    paragraphs(page)[1],
    '`email` is &lt;b&gt;no&lt;/b&gt; address; give one like ada@example.com.',
  );
  assert.doesNotMatch(page, /<script|<b>/);
  assert.match(page, /&quot;&gt;&lt;script&gt;alert\(1\)/);
});

test('English is English wherever it is read', () => {
  const page = errorPage({ status: 409, code: 'no_such', message: 'Try later.' }, 'r', 'en-GB').html;
  assert.deepEqual(paragraphs(page).slice(0, 2), ['That did not work', 'Try later.']);
});

test('codes that name a property of every object are no advice', () => {
  for (const code of ['constructor', 'toString', '__proto__']) {
    const { html: page } = errorPage({ status: 409, code, message: 'Try later.' }, 'r');
    assert.deepEqual(paragraphs(page).slice(0, 2), ['That did not work', 'Try later.']);
  }
});

test('of a shop shows its name or logo, and its colours', () => {
  const colors = { background: '#10324a', foreground: '#ffffff', label: null };
  const error = { status: 409, code: 'pool_exhausted', message: '' };
  const named = errorPage({ ...error, about: { shop: 'Bean & <Co>', colors, logo: null } }, 'r', 'de').html;
  assert.match(
    named,
    /<p class="shop"><bdi>Bean &amp; &lt;Co&gt;<\/bdi><\/p>\n<h1>Es sind keine mehr da<\/h1>/,
  );
  assert.match(named, /background: #10324a; color: #ffffff/);
  const logo = { url: 'https://cards.example/images/ab.png', width: 300, height: 100 };
  const { html, headers } = errorPage({ ...error, about: { shop: 'Bean', colors, logo } }, 'r');
  assert.match(
    html,
    /<img src="https:\/\/cards\.example\/images\/ab\.png" alt="Bean" width="108" height="36">/,
  );
  assert.match(headers['content-security-policy'] ?? '', /img-src 'self'/);
});

test('the page runs nothing, loads nothing, and its style has the announced hash', () => {
  const { html: page, headers } = errorPage({ status: 404, code: 'route_not_found', message: '' }, 'r');
  const styles = [...page.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '');
  assert.equal(styles.length, 1);
  const hash = createHash('sha256')
    .update(styles[0] ?? '')
    .digest('base64');
  assert.ok(page.includes(`style-src &#39;sha256-${hash}&#39;`), 'the policy names the style');
  const policy = headers['content-security-policy'] ?? '';
  assert.ok(policy.includes(`style-src 'sha256-${hash}'`), 'and so does the header');
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(page, /<script|\sstyle=|\son[a-z]+=|\ssrc=|\shref=|url\(|@import/i);
  assert.match(page, /^<!doctype html>\n<html lang="en">/);
});
