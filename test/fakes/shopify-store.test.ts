import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { makeAuthority } from './authority.ts';
import { endlessBucket, ShopifyStore } from './shopify-store.ts';
import { OrderRefused } from './store-orders.ts';
import { trustAuthority } from './store-server.ts';

const authority = makeAuthority();
const distrust = trustAuthority(authority);
after(distrust);

/** The start of a shop that ends with the tests. */
async function open(options: Parameters<typeof ShopifyStore.start>[0] = {}): Promise<ShopifyStore> {
  const shop = await ShopifyStore.start({ authority, ...options });
  after(() => shop.close());
  return shop;
}

/** Asks a shop; `version` and `token` are right unless they are given. */
async function ask(
  shop: ShopifyStore,
  query: string,
  { variables = {}, version = '2026-10', token = shop.accessToken }: Record<string, unknown> = {},
) {
  const answer = await fetch(`https://${shop.domain}/admin/api/${version}/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': String(token) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await answer.text();
  const body: Answer = JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body };
}

interface Answer {
  // biome is told nothing: shapes differ from query to query.
  readonly data: Record<string, Record<string, never>>;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions: {
    readonly cost: {
      readonly requestedQueryCost: number;
      readonly actualQueryCost: number | null;
      readonly throttleStatus: { readonly currentlyAvailable: number; readonly maximumAvailable: number };
    };
    readonly search?: readonly unknown[];
  };
}
