import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plain } from '../../src/passes/images/pictures.fixture.ts';
import { type Authority, makeAuthority } from '../../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../../tools/fakes/shopify-store.ts';
import { file, flood, redirect, silence, WebHost } from '../../tools/fakes/web-host.ts';

/** What the service must be started with to reach a host for images and a store on the loopback interface. */
export const reachesLoopback = { FETCH_ALLOW_CIDRS: '127.0.0.1/32' };

/** Makes the certificate that signs those of the simulated hosts, as files of a folder: a service is to trust `ca.pem`. */
export async function writeAuthority(folder: string): Promise<void> {
  const { certificate, privateKey } = makeAuthority('Contract suite CA');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ca.pem'), certificate.toString());
  await writeFile(join(folder, 'ca.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  });
}

/** A host for images and stores, which the service can reach. */
export class Outside {
  readonly #authority: Authority;
  readonly #web: WebHost;
  readonly #stores: ShopifyStore[] = [];

  private constructor(authority: Authority, web: WebHost) {
    this.#authority = authority;
    this.#web = web;
  }

  /** Starts it with the certificate of the folder. */
  static async start(folder: string): Promise<Outside> {
    const authority = {
      certificate: new X509Certificate(await readFile(join(folder, 'ca.pem'))),
      privateKey: createPrivateKey(await readFile(join(folder, 'ca.key'))),
    };
    const outside = new Outside(authority, await WebHost.start({ authority, hosts: ['127.0.0.1'] }));
    await outside.#putFiles();
    return outside;
  }

  /** The address of one of the files below. */
  url(path: string): string {
    return `https://127.0.0.1:${this.#web.port}${path}`;
  }

  /** A shop of Shopify with this many customers, who can all be read at once. */
  async openStore(customers: number): Promise<ShopifyStore> {
    const store = await ShopifyStore.start({ authority: this.#authority, bucket: endlessBucket, customers });
    this.#stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    await this.#web.close();
    for (const store of this.#stores) await store.close();
  }

  /** Each is large enough for a logo unless its name says otherwise. */
  async #putFiles(): Promise<void> {
    const picture = plain(160, 160);
    const put = (path: string, bytes: Buffer) => this.#web.on(path, file(bytes));
    put('/logo.png', await picture.clone().png().toBuffer());
    put('/logo.jpg', await picture.clone().jpeg().toBuffer());
    put('/logo.webp', await picture.clone().webp().toBuffer());
    put('/logo.gif', await picture.clone().gif().toBuffer());
    put('/small.png', await plain(10, 10).png().toBuffer());
    put('/page.html', Buffer.from('<!doctype html><title>No image</title>'));
    put('/heavy.png', paddedTo(20_000_000, await picture.clone().png().toBuffer()));
    this.#web.on('/too-heavy.png', flood(21 * 1_048_576));
    const size = 21 * 1_048_576;
    this.#web.on('/says-too-heavy.png', flood(size, { 'content-length': String(size) }));
    this.#web.on('/silent.png', silence);
    for (const hops of [1, 2, 3, 4])
      this.#web.on(
        `/hops/${hops}`,
        redirect(302, hops === 1 ? this.url('/logo.png') : this.url(`/hops/${hops - 1}`)),
      );
    this.#web.on('/to-http', redirect(302, 'http://127.0.0.1/logo.png'));
    this.#web.on('/to-private', redirect(302, 'https://10.0.0.1/logo.png'));
  }
}

/** A PNG of exactly this size: the same picture, and bytes after its end that viewers ignore. */
function paddedTo(size: number, png: Buffer): Buffer {
  return Buffer.concat([png, Buffer.alloc(size - png.length)]);
}
