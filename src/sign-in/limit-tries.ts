import { countIn, type Limit, tooManyRequests } from '../access/limits.ts';
import type { PublicCtx } from '../context.ts';
import { addressBucket } from '../kit/http/endpoints/client-address.ts';

/** Limits by the person who is named, by the client's address, and by further buckets between the two, by their names. */
export interface Limits {
  readonly to: Limit;
  readonly from: Limit;
  readonly between?: Readonly<Record<string, Limit>>;
}

/** Gives a try back that was right; `left` is how many more there are until one has to wait. */
export type GiveBack = (() => Promise<void>) & { readonly left: number };

/**
 * Counts a try against the client's address, the buckets between, and the named person, whether or not that person exists.
 * Raises `rate_limited`; if the limit of the person is reached, `over` gets the hash of the name.
 */
export async function limitTries(
  { app, ip }: PublicCtx,
  what: string,
  whom: string,
  limits: Limits,
  over: (hash: string) => void = () => undefined,
): Promise<GiveBack> {
  const hash = app.addressHash(whom).toString('base64url');
  const between = Object.entries(limits.between ?? {});
  const [from, to] = [`${what}-from:${addressBucket(ip ?? '')}`, `${what}-to:${hash}`];
  const counted: [string, Limit][] = [];
  let left = Number.POSITIVE_INFINITY;
  const giveBack = async () => {
    for (const [bucket, limit] of counted) await countIn(app, bucket, limit, -1);
  };
  for (const [bucket, limit] of [[from, limits.from], ...between, [to, limits.to]] as [string, Limit][]) {
    const verdict = await countIn(app, bucket, limit);
    if (verdict.allowed) {
      counted.push([bucket, limit]);
      left = Math.min(left, verdict.remaining);
      continue;
    }
    // This was no attempt; only the address has asked again.
    counted.shift();
    await giveBack();
    if (bucket === to) over(hash);
    throw tooManyRequests(verdict);
  }
  return Object.assign(giveBack, { left });
}
