import dns from 'node:dns';
import tls from 'node:tls';
import { type Authority, makeAuthority } from './authority.ts';
import { DnsServer } from './dns-server.ts';
import { WebHost } from './web-host.ts';

/**
 * A small Internet on loopback, for this process: names, one host that represents all public ones, and one that must never
 * be reached. Both have the same port and valid certificates for all names, so only the address distinguishes them.
 */
export interface Internet {
  readonly authority: Authority;
  readonly names: DnsServer;
  /** On 127.0.0.1, which has to be allowed. */
  readonly web: WebHost;
  /** On 127.0.0.2. */
  readonly inside: WebHost;
  /** A URL of the web host; `name` is a label below `example.test`, and is made known. */
  url(path: string, name?: string): string;
  close(): Promise<void>;
}

/** Starts it. From now on the process asks its name server and trusts its certificates. */
export async function startInternet(): Promise<Internet> {
  const authority = makeAuthority('Simulated Internet CA');
  const hosts = ['*.example.test', 'localhost', '127.0.0.1', '127.0.0.2'] as const;
  const names = await DnsServer.start();
  const web = await WebHost.start({ authority, hosts });
  const inside = await WebHost.start({ authority, hosts, address: '127.0.0.2', port: web.port });
  const before = { servers: dns.getServers(), trusted: tls.getCACertificates('default') };
  dns.setServers([names.address]);
  tls.setDefaultCACertificates([...before.trusted, authority.certificate.toString()]);
  return {
    authority,
    names,
    web,
    inside,
    url(path, name = 'www') {
      if (name === 'www') names.answer('www.example.test', ['127.0.0.1']);
      return `https://${name}.example.test:${web.port}${path}`;
    },
    async close() {
      dns.setServers(before.servers);
      tls.setDefaultCACertificates(before.trusted);
      await Promise.all([web.close(), inside.close(), names.close()]);
    },
  };
}
