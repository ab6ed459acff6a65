import { tooManyRequests } from '../access/admit.ts';
import type { PublicCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import { addressBucket } from '../kit/http/client-address.ts';

/** So many at once, and then one in so many seconds. */
interface Limit {
  readonly atOnce: number;
  readonly everyS: number;
}

/** Limits per name, per client address, and for what else counts tries between the two. */
export interface Limits {
  readonly to: Limit;
  readonly from: Limit;
  readonly between?: Readonly<Record<string, Limit>>;
}

/** Gives a try back that was right. */
export type GiveBack = () => Promise<void>;

/**
 * Counts a try against the client's address, whatever is between, and whom it is about, whether or not there is anybody of
 * that name. Raises `rate_limited`; where it is for whom it is about, `over` gets the hash of their name.
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
  const giveBack = async () => {
    for (const [bucket, { atOnce, everyS }] of counted)
      await app.limiter.take(bucket, 1 / everyS, atOnce, -1);
  };
  for (const [bucket, limit] of [[from, limits.from], ...between, [to, limits.to]] as [string, Limit][]) {
    const verdict = await app.limiter.take(bucket, 1 / limit.everyS, limit.atOnce);
    if (verdict.allowed) {
      counted.push([bucket, limit]);
      continue;
    }
    // Nothing was tried; only the address has asked once more.
    counted.shift();
    await giveBack();
    if (bucket === to) over(hash);
    const wait = { 'retry-after': String(verdict.retryAfterSeconds) };
    throw refusal('rate_limited', tooManyRequests(verdict), {}, wait);
  }
  return giveBack;
}
