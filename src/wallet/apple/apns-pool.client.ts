import { LRUCache } from 'lru-cache';
import type { Apns } from './apns-push.ts';
import type { SigningIdentity } from './certificates/certificates.ts';

/** Clients of APNs, one for each certificate that pushes just now. */
export interface ApnsPool {
  /** The client of a certificate, as long as it is in use. */
  of(identity: SigningIdentity): Apns;
  close(): Promise<void>;
}

interface Options {
  connect(identity: SigningIdentity): Apns;
  /** So many clients at most: the one that was idle longest makes room for another. */
  readonly most?: number;
  /** A client that was idle for so long is closed, in milliseconds. */
  readonly idleMs?: number;
}

/** Each of them has a connection. Pushes in flight when a client makes room are answered, or `later`. */
export function createApnsPool({ connect, most = 100, idleMs = 600_000 }: Options): ApnsPool {
  const closing = new Set<Promise<void>>();
  const clients = new LRUCache<string, Apns>({
    max: most,
    ttl: idleMs,
    updateAgeOnGet: true,
    dispose(client) {
      const end = client.close().finally(() => closing.delete(end));
      closing.add(end);
    },
  });
  const sweeper = setInterval(() => clients.purgeStale(), Math.max(idleMs / 10, 1)).unref();

  return {
    of(identity) {
      const name = identity.certificate.fingerprint256;
      let client = clients.get(name);
      if (client === undefined) {
        client = connect(identity);
        clients.set(name, client);
      }
      return client;
    },
    async close() {
      clearInterval(sweeper);
      clients.clear();
      await Promise.all(closing);
    },
  };
}
