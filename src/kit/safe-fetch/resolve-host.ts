import dns, { type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { blockedHost } from './check-url.ts';
import { FetchRefused } from './fetch-refused.ts';

/**
 * The addresses of a URL's host, those of IPv4 first. Each of them was checked: one that is not allowed among public
 * ones is no accident.
 */
export async function resolveHost(
  { hostname }: URL,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? (loopback[host] ?? (await lookUp(host, signal))) : [host];
  if (!addresses.every(isAllowed)) throw new FetchRefused('blocked_host', blockedHost);
  return addresses.slice(0, mostAddresses).map((address) => ({ address, family: isIP(address) }));
}

/** No name server is asked about this one (RFC 6761 §6.3). Whether it may be visited was decided before. */
const loopback: Readonly<Record<string, readonly string[]>> = { localhost: ['127.0.0.1', '::1'] };

/** Enough to get around a machine that is down; a stranger's list of a thousand doors is not for us to knock at. */
const mostAddresses = 6;

/**
 * Asks the process's name servers. Not getaddrinfo: that would hold one of the few threads of the process while a name
 * server keeps silent, and would read the hosts file.
 */
async function lookUp(name: string, signal: AbortSignal): Promise<string[]> {
  // A resolver of its own has not learned from quick answers to give up early, and can be cancelled.
  const resolver = new dns.promises.Resolver({ timeout: 1_000, tries: 5 });
  resolver.setServers(dns.getServers());
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  const first = Promise.any(families);
  const late = first.then(
    () => sleep(graceMs, [], { ref: false }),
    () => [],
  );
  try {
    const found = families.map((family) => Promise.race([family.catch(() => []), late]));
    const addresses = (await Promise.all(found)).flat();
    return addresses.length > 0 ? addresses : await first;
  } catch (error) {
    signal.throwIfAborted();
    throw refusalOf(error);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

/** Some name servers never answer for one family: the other has to do then. */
const graceMs = 2_000;

function refusalOf(error: unknown): FetchRefused {
  const codes: string[] = error instanceof AggregateError ? error.errors.map(({ code }) => code) : [];
  if (codes.includes('ETIMEOUT'))
    return new FetchRefused('timeout', 'The name servers of the host do not answer.');
  if (codes.includes('ENOTFOUND')) return new FetchRefused('unreachable', 'There is no host of this name.');
  return new FetchRefused('unreachable', `The name of the host has no address (${codes.join(', ')}).`);
}
