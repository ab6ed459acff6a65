import { connectShop, openShop } from '../src/invitations/sweeps/sweeps.fixture.ts';
import { newStore } from '../src/stores/stores.fixture.ts';
import { accountOf, p12For } from '../src/wallet-credentials/identities.fixture.ts';
import type { Client, Json } from './client.ts';
import { makeCard, makeKey, makePass } from './factories.ts';
import type { TestApp } from './harness.ts';
import { imageForm } from './image-errors.ts';

/** Path and body, and another path and body. */
export type TwoEffects = [path: string, body: Json, otherPath: string, otherBody: Json];

/** Two effects of each operation that changes, ends or removes a thing: the same call on two of its kind. */
export function effectsOnThings(app: TestApp, client: Client): Record<string, () => Promise<TwoEffects>> {
  const onTwo =
    (makeOne: () => Promise<string>, body?: Json, rest = '') =>
    async (): Promise<TwoEffects> => [`${await makeOne()}${rest}`, body, `${await makeOne()}${rest}`, body];
  const card = async () =>
    `/instances/${(await makeCard(client, (await makePass(client)).passId)).instanceId}`;
  const pass = async () => `/passes/${(await makePass(client)).passId}`;
  const made = async (path: string, body: object, id: string) =>
    `${path}/${(await client.post(path, body)).body[id]}`;
  const partner = () => made('/partners', { name: 'Harbour' }, 'partnerId');
  const store = () => made('/stores', newStore(), 'storeId');
  const key = async () => `/api-keys/${(await makeKey(client)).key.keyId}`;
  const program = async () => {
    const { passId } = await makePass(client);
    const terms = { passId, mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };
    return made('/loyalty/programs', terms, 'programId');
  };
  const workspace = async () => {
    const { body } = await app.operator.post('/operator/workspaces', { name: 'Tea House' });
    return `/operator/workspaces/${body.workspaceId}`;
  };
  const code = async () => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['B-1']);
    return `/passes/${passId}/barcodes/B-1`;
  };
  const sweep = async () => {
    const { sweep: path } = await connectShop(client, await openShop({ customers: 1 }));
    await client.post(path, { dryRun: true });
    return path;
  };
  const renamed = (name: string) => ({ name });
  const p12 = (passType: string) => ({ p12: p12For(passType), passphrase: 'secret' });
  return {
    setGoogleIdentity: async () => {
      const path = '/workspace/wallets/google';
      return [path, accountOf('3388000000000000771'), path, accountOf('3388000000000000772')];
    },
    setAppleIdentity: async () => {
      const path = '/workspace/wallets/apple';
      return [path, p12('pass.com.example.one'), path, p12('pass.com.example.two')];
    },
    updatePass: onTwo(pass, { title: 'Tea Club' }),
    deletePass: onTwo(async () => `/passes/${(await makePass(client, {}, 'draft')).passId}`),
    deleteBarcode: onTwo(code),
    updateInstance: onTwo(card, { metadata: { table: 4 } }),
    eraseInstance: onTwo(card),
    voidInstance: onTwo(card, undefined, '/void'),
    reactivateInstance: onTwo(card, undefined, '/reactivate'),
    pushInstance: onTwo(card, undefined, '/push'),
    updateProgram: onTwo(program, { drawsStamps: false }),
    updatePartner: onTwo(partner, renamed('Old Harbour')),
    deletePartner: onTwo(partner),
    updateStore: onTwo(store, { followsEdits: true }),
    disconnectStore: onTwo(store),
    cancelSweep: onTwo(sweep, undefined, '/cancel'),
    updateApiKey: onTwo(key, renamed('Till 6')),
    revokeApiKey: onTwo(key),
    updateAnyWorkspace: async () => {
      const path = await workspace();
      return [path, renamed('Tea'), path, renamed('Coffee')];
    },
    uploadImage: async () => ['/images', imageForm(100), '/images', imageForm(101)],
    updateWorkspace: async () => ['/workspace', renamed('Tea'), '/workspace', renamed('Blue Bean')],
  };
}
