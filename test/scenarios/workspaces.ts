import { newUuidV7 } from '../../src/kit/ids.ts';
import { accountOf, p12For } from '../../src/wallet-credentials/identities.fixture.ts';
import type { Client, Reply } from '../client.ts';
import { makeKey } from '../factories.ts';
import type { Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** Workspaces, what they are known by to the wallets, their keys and credits. */
export function workspaceScenarios({ app, client, workspaceId, card }: World): Scenarios {
  const onWorkspace = (rest = ''): Request => ({ path: `/operator/workspaces/${workspaceId}${rest}` });
  const onKey = async (rest = ''): Promise<Request> => ({
    path: `/api-keys/${(await makeKey(client)).key.keyId}${rest}`,
    also: { 'key of another workspace': 'forbidden' },
  });
  const onOnlyKey = async (act: (own: Client, path: string) => Promise<Reply>): Promise<Reply> => {
    const { client: own } = await app.newWorkspace();
    return act(own, `/api-keys/${(await own.get('/me')).body.keyId}`);
  };
  const p12 = (passType: string) => ({ p12: p12For(passType), passphrase: 'secret' });
  return {
    createWorkspace: {
      good: () => ({ body: { name: 'Tea House' }, other: { name: 'Coffee' }, status: 201 }),
    },
    listWorkspaces: { good: () => ({}) },
    getAnyWorkspace: { good: () => onWorkspace() },
    updateAnyWorkspace: {
      good: () => ({ ...onWorkspace(), body: { plan: 'pro' }, other: { name: 'Coffee' } }),
    },
    createAnyApiKey: {
      good: () => ({
        ...onWorkspace('/api-keys'),
        body: { name: 'Recovered', access: 'full' },
        other: { name: 'Recovered', access: 'read' },
        status: 201,
      }),
    },
    inviteOwner: {
      good: () => ({
        ...onWorkspace('/people'),
        body: { email: `${newUuidV7()}@example.com`, name: 'Ada' },
        other: { email: `${newUuidV7()}@example.com`, name: 'Ada' },
        status: 201,
      }),
      errors: {
        async person_exists() {
          const email = `${newUuidV7()}@example.com`;
          await client.post('/people', { email, name: 'Ada', role: 'staff' });
          return app.operator.post(`/operator/workspaces/${workspaceId}/people`, { email, name: 'Ada' });
        },
      },
    },
    listAnyPeople: { good: () => onWorkspace('/people') },
    addCredits: {
      good() {
        const body = { amount: 5, externalRef: newUuidV7() };
        return { ...onWorkspace('/credits'), body, other: { ...body, amount: 6 } };
      },
    },
    diagnoseInstance: { good: () => ({ path: `/operator/instances/${card.instanceId}/diagnosis` }) },

    getMe: { good: () => ({}) },
    getWorkspace: { good: () => ({}) },
    updateWorkspace: { good: () => ({ body: { name: 'Blue Bean' }, other: { name: 'Tea' } }) },
    getWallets: { good: () => ({}) },
    getObstacles: { good: () => ({}) },
    createSigningRequest: { good: () => ({ status: 201 }) },
    setAppleIdentity: {
      good: () => ({ body: p12('pass.com.example.one'), other: p12('pass.com.example.two') }),
    },
    removeAppleIdentity: { good: () => ({}) },
    setGoogleIdentity: {
      good: () => ({ body: accountOf('3388000000000000771'), other: accountOf('3388000000000000772') }),
    },
    removeGoogleIdentity: { good: () => ({}) },
    setNfcReaders: {
      good: () => ({
        body: { redemptionIssuers: ['3388000000000000773'] },
        other: { redemptionIssuers: ['3388000000000000774'] },
      }),
    },
    showNfcKey: {
      good: async () => {
        await client.put('/workspace/wallets/nfc', {});
        return {};
      },
    },
    removeNfcReaders: { good: () => ({}) },
    createApiKey: {
      good: () => ({
        body: { name: 'Till 5', access: 'full' },
        other: { name: 'Till 5', access: 'read' },
        status: 201,
      }),
    },
    listApiKeys: { good: () => ({}) },
    getApiKey: { good: () => onKey() },
    updateApiKey: {
      good: async () => ({ ...(await onKey()), body: { name: 'Till 6' } }),
      errors: { last_key: () => onOnlyKey((own, path) => own.patch(path, { access: 'read' })) },
    },
    revokeApiKey: {
      good: () => onKey(),
      errors: { last_key: () => onOnlyKey((own, path) => own.delete(path)) },
    },
    rotateApiKey: {
      good: async () => ({ ...(await onKey('/rotate')), other: { overlapSeconds: 2 }, status: 201 }),
    },
    getCredits: { good: () => ({}) },
    listCreditEntries: { good: () => ({}) },
  };
}
