import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeAuthority } from '../tools/fakes/authority.ts';
import { endlessBucket, ShopifyStore } from '../tools/fakes/shopify-store.ts';

/** Where the simulated store is, and what reads it. */
export interface Simulated {
  readonly domain: string;
  readonly accessToken: string;
  /** The file of the certificate that its server's is signed with. */
  readonly authority: string;
}

/**
 * A store as a process of its own, with as many customers as the second word of its argument says, which may be asked as
 * often as one likes; its authority goes to the folder of the first. Sends what it is to its parent, which says how many
 * milliseconds each answer takes from then on.
 */
const [folder = '', customers = '0'] = (process.argv[2] ?? '').split(' ');
const authority = makeAuthority();
const file = join(folder, 'store-authority.pem');
await writeFile(file, authority.certificate.toString());
const store = await ShopifyStore.start({ authority, customers: Number(customers), bucket: endlessBucket });
const simulated: Simulated = { domain: store.domain, accessToken: store.accessToken, authority: file };
process.on('message', (delayMs) => {
  store.recover();
  if (Number(delayMs) > 0) store.fail({ times: 1_000_000, outcome: { delayMs: Number(delayMs) } });
  process.send?.('done');
});
process.send?.(JSON.stringify(simulated));
