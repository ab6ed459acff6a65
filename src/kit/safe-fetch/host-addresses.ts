import dns, { type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { bareHost } from '../bare-host.ts';
import { blockedHost, FetchRefused } from './check-url.ts';

/**
 * The addresses of a URL's host, those of IPv4 first. Each of them was checked: one that is not allowed among public
 * ones is no accident.
 */
export async function resolveHost(
  url: URL,
  isAllowed: (address: string) => boolean,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  signal.throwIfAborted();
  const host = bareHost(url);
  const addresses = isIP(host) === 0 ? (loopback[host] ?? (await lookUp(host, signal))) : [host];
  if (!addresses.every(isAllowed)) throw new FetchRefused('blocked_host', blockedHost);
  return addresses.slice(0, mostAddresses).map((address) => ({ address, family: isIP(address) }));
}

/** No name server is asked about this one (RFC 6761 §6.3). Whether it may be visited was decided before. */
const loopback: Readonly<Record<string, readonly string[]>> = { localhost: ['127.0.0.1', '::1'] };

/** Enough to get around a machine that is down; a longer list of a stranger's would have us connect to all of it. */
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

/** Some name servers never answer for one family: then the other is enough. */
const graceMs = 2_000;

function refusalOf(error: unknown): FetchRefused {
  const codes: string[] = error instanceof AggregateError ? error.errors.map(({ code }) => code) : [];
  if (codes.includes('ETIMEOUT'))
    return new FetchRefused('timeout', 'The name servers of the host do not answer.');
  if (codes.includes('ENOTFOUND')) return new FetchRefused('unreachable', 'There is no host of this name.');
  return new FetchRefused('unreachable', `The name of the host has no address (${codes.join(', ')}).`);
}

/**
 * Whether an address, never a name, is one of the public Internet: not private, local, reserved, of a cloud's metadata
 * service, or an IPv6 address that carries an IPv4 address in it. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed instanceof ipaddr.IPv6 && (!isGlobalUnicast(parsed) || isIsatap(parsed))) return false;
  return parsed.range() === 'unicast' && parsed.toString() !== azureWireServer;
}

/** Whether fetches may go to an address: a public one, or one of the allowed networks (`10.0.0.0/8`, `::1`). */
export function addressCheck(allowed: readonly string[]): (address: string) => boolean {
  const networks = allowed.map(parseNetwork);
  return (address) => {
    if (isPublicAddress(address)) return true;
    const parsed = parseAddress(address);
    return networks.some(
      ([network, bits]) => parsed?.kind() === network.kind() && parsed.match(network, bits),
    );
  };
}

/** Looks public, but is answered by the host of an Azure machine. */
const azureWireServer = '168.63.129.16';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address; an IPv4-mapped one (`::ffff:192.0.2.1`) as its IPv4 address. A zone id says nothing about where it is. */
function parseAddress(address: string): Address | null {
  const [bare = ''] = address.split('%');
  const family = isIP(bare);
  // The library also reads 127.1 and 0177.0.0.1, of which others make something else.
  if (family === 0) return null;
  // And it takes ::192.0.2.1, as name servers' answers are written, for mapped: only the URL parser writes all alike.
  return ipaddr.process(family === 4 ? bare : new URL(`http://[${bare}]`).hostname.slice(1, -1));
}

/** 2000::/3, the only part of IPv6 that was ever handed out to the public Internet (RFC 4291 §2.4). */
function isGlobalUnicast(address: ipaddr.IPv6): boolean {
  const [first = 0] = address.parts;
  return (first & 0xe000) === 0x2000;
}

/** An interface id that holds an IPv4 address: `…:0:5efe:7f00:1`, `…:200:5efe:…` (RFC 5214 §6.1). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , fifth = 0, sixth = 0] = address.parts;
  return (fifth & 0xfcff) === 0 && sixth === 0x5efe;
}

function parseNetwork(text: string): [network: Address, bits: number] {
  const [address = '', bits] = text.split('/');
  const network = ipaddr.parse(address);
  return [network, bits === undefined ? network.toByteArray().length * 8 : Number(bits)];
}
