import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Reply } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { makeAuthority } from '../../tools/fakes/authority.ts';
import { FakeIdentityProvider } from '../../tools/fakes/identity-provider.ts';
import { trustAuthority } from '../../tools/fakes/store-server.ts';
import { cookieOf, led, navigate } from './people.fixture.ts';

/** A provider for as long as a test file lasts, whose certificates are trusted. */
export async function startProvider() {
  const authority = makeAuthority();
  after(trustAuthority(authority));
  const provider = await FakeIdentityProvider.start(authority);
  after(() => provider.server.close());
  return { provider, authority };
}

/** A browser that is with the provider, which leads it back. */
export class BrowserAway {
  readonly app: TestApp;
  readonly headers: Record<string, string>;

  constructor(app: TestApp, headers: Record<string, string>) {
    this.app = app;
    this.headers = headers;
  }

  with(headers: Record<string, string>): BrowserAway {
    return new BrowserAway(this.app, { ...this.headers, ...headers });
  }

  get(path: string): Promise<Reply> {
    return navigate(this.app, path, this.headers);
  }
}

/** A browser that has left for the provider, was recognised there, and is sent back to this path. */
export async function leave(app: TestApp): Promise<{ browser: BrowserAway; back: string }> {
  const left = await app.anyone.get('/sign-in/oidc');
  assert.equal(left.status, 303, left.text);
  const answered = await fetch(left.headers.get('location') ?? '', { redirect: 'manual' });
  const { origin, pathname, search } = new URL(answered.headers.get('location') ?? '');
  assert.equal(origin, app.config.publicUrl);
  const browser = new BrowserAway(app, { ...led, cookie: cookieOf(left) });
  return { browser, back: `${pathname}${search}` };
}
