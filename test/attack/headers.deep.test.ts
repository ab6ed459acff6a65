import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newSecret } from '../../src/kit/crypto/tokens.ts';
import { routes } from '../../src/routes.ts';
import type { Reply } from '../client.ts';
import { startTestApp } from '../harness.ts';
import { makeTenant, pathWith } from './tenant.ts';

/**
 * What browsers and clients learn from headers: how to prove who calls (RFC 9110 §11.6.1, RFC 6750 §3), and for a page that
 * no site may show it in a frame, and that its address, which is a secret, goes nowhere. test/client.ts asks the same of
 * every answer of every test.
 */
const app = await startTestApp({ WORKERS: 'off', DATABASE_POOL: '20' });
const { names } = await makeTenant(app);

const challengeOf = ({ headers }: Reply) => headers.get('www-authenticate');

describe('a 401', () => {
  const closed = routes.filter(({ access }) => !['public', 'probe', 'signed', 'session'].includes(access));

  it('without a token asks for one', async () => {
    for (const { method, path } of closed) {
      const reply = await app.anyone.send(method, pathWith(path, names));
      assert.deepEqual([reply.status, challengeOf(reply)], [401, 'Bearer realm="punchcard"'], path);
    }
  });

  it('for a token that does not count says so', async () => {
    const invalid = 'Bearer realm="punchcard", error="invalid_token"';
    for (const { method, path } of closed) {
      for (const token of [newSecret('pk_live_'), 'x']) {
        const reply = await app.anyone.as(token).send(method, pathWith(path, names));
        assert.deepEqual([reply.status, challengeOf(reply)], [401, invalid], path);
      }
    }
    assert.equal(challengeOf(await app.operator.get('/me')), invalid);
  });

  it('for want of a session asks for a cookie', async () => {
    for (const { method, path } of routes.filter(({ access }) => access === 'session')) {
      const reply = await app.anyone.send(method, pathWith(path, names));
      assert.deepEqual([reply.status, challengeOf(reply)], [401, 'Cookie realm="punchcard"'], path);
    }
  });

  it('for a key that is not enough names its scope', async () => {
    const reply = await app.client.get('/operator/workspaces');
    assert.equal(reply.status, 403);
    assert.equal(challengeOf(reply), 'Bearer realm="punchcard", error="insufficient_scope"');
  });

  it('to a device asks for the token of its card', async () => {
    const path = pathWith('/apple/v1/passes/{passTypeIdentifier}/{serialNumber}', {
      ...names,
      passTypeIdentifier: app.running.app.apple.passTypeIdentifier,
    });
    const by = async (authorization?: string) =>
      challengeOf(
        await app.anyone.get(path, authorization === undefined ? {} : { headers: { authorization } }),
      );
    assert.equal(await by(), 'ApplePass realm="punchcard"');
    assert.equal(await by('Bearer x'), 'ApplePass realm="punchcard"');
    assert.equal(
      await by('ApplePass 0123456789abcdef'),
      'ApplePass realm="punchcard", error="invalid_token"',
    );
  });

  it('to a store asks for a signature', async () => {
    const reply = await app.anyone.post(`/stores/${names.storeId}/webhooks`, '{}');
    assert.deepEqual([reply.status, challengeOf(reply)], [401, 'Signature realm="punchcard"']);
  });
});

describe('a page', () => {
  const pages = routes.filter(
    ({ endpoint }) => endpoint.page === true || endpoint.answers[200] === 'text/html',
  );
  const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };
  const tokenOf = (op: string) => (/invite|unsubscribe/i.test(op) ? names.inviteToken : names.token);

  async function assertSealed(method: string, path: string, status?: number): Promise<void> {
    const { status: found, headers, text } = await app.anyone.send(method, path, undefined, asBrowser);
    const what = `${method} ${path}: ${found}`;
    if (status !== undefined) assert.equal(found, status, what);
    if (headers.get('content-type') !== 'text/html; charset=utf-8') {
      assert.doesNotMatch(text, /^<!doctype/i, what);
      return;
    }
    assert.match(headers.get('content-security-policy') ?? '', /(^|; )default-src 'none'/, what);
    assert.match(headers.get('content-security-policy') ?? '', /(^|; )frame-ancestors 'none'(;|$)/, what);
    // Forms of signing in have to show that they are ours.
    const policy = found === 200 && path.startsWith('/sign-in') ? 'same-origin' : 'no-referrer';
    assert.equal(headers.get('referrer-policy'), policy, what);
  }

  it('is in no frame, and its address in no referrer', async () => {
    assert.ok(pages.length > 5);
    for (const { method, path, endpoint } of pages)
      await assertSealed(method, pathWith(path, { ...names, token: tokenOf(endpoint.op) ?? '' }));
  });

  it('nor is one of an error', async () => {
    const forPeople = pages.filter(({ endpoint }) => endpoint.page === true);
    for (const { method, path, endpoint } of forPeople.filter(({ path }) => path.includes('{token}'))) {
      const at = (token: string) => pathWith(path, { ...names, token });
      await assertSealed(method, at('missing'), path.startsWith('/sign-in') ? 401 : 404);
      await assertSealed(method, at('x'.repeat(300)), 400);
      await assertSealed(method, `${at(tokenOf(endpoint.op) ?? '')}?a=%ff`, 400);
    }
    await assertSealed('GET', '/docs/missing', 404);
    await assertSealed('GET', `/docs/${'x'.repeat(300)}`, 400);
    await assertSealed('GET', '/docs/search?q=%ff', 400);
  });
});
