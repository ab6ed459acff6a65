import { startInternet } from '../../tools/fakes/internet.ts';
import { flood } from '../../tools/fakes/web-host.ts';
import { owned } from '../access-refusals.ts';
import type { Reply } from '../client.ts';
import { makePass } from '../factories.ts';
import type { Provocations, Request, Scenarios } from './scenario.ts';
import type { World } from './world.ts';

const newPass = { title: 'Tea Club', type: 'loyalty' };

/** Passes, the codes of their pools, and what they look like. */
export function passScenarios(world: World): Scenarios {
  const { app, client, pass, card, missing, strangers, onPass } = world;
  const onPool = async (rest = '', parts: Request = {}): Promise<Request> => {
    const { passId } = await makePass(client, { barcode: { mode: 'pool' } });
    await app.fillPool(passId, ['B-1']);
    return { ...parts, path: `/passes/${passId}/barcodes${rest}`, also: owned };
  };
  const fullOfDrafts = async () => {
    const { client: full } = await app.newWorkspace('entry');
    const published = await makePass(full);
    for (let count = 0; count < 10; count++) await makePass(full, {}, 'draft');
    return { full, path: `/passes/${published.passId}` };
  };
  const badImages = (send: (logoUrl: string) => Promise<Reply>): Provocations => ({
    asset_fetch_failed: () => send('http://www.example.test/logo.png'),
    async payload_too_large() {
      const internet = await startInternet();
      internet.web.on('/large', flood(21 * 1_048_576));
      const reply = await send(internet.url('/large'));
      await internet.close();
      return reply;
    },
  });
  const preview = (design: object) => client.post('/passes/preview', design);
  const noCard = (picture: string): Provocations => ({
    instance_not_found: () =>
      client.get(`/passes/${pass.passId}/${picture}?instanceId=${missing.instanceId}`),
  });
  return {
    createPass: {
      good: () => ({ body: newPass, other: { ...newPass, type: 'coupon' }, status: 201 }),
      errors: {
        ...badImages((logoUrl) => client.post('/passes', { ...newPass, logoUrl })),
        draft_limit_reached: async () => (await fullOfDrafts()).full.post('/passes', newPass),
      },
    },
    listPasses: { good: () => ({}) },
    getPass: { good: () => onPass() },
    watchPass: { good: () => onPass('/progress') },
    updatePass: {
      good: () => ({ ...onPass(), body: { title: 'Blue Bean Club' }, other: { title: 'Tea Club' } }),
      errors: {
        ...badImages((logoUrl) => client.patch(`/passes/${pass.passId}`, { logoUrl })),
        async draft_limit_reached() {
          const { full, path } = await fullOfDrafts();
          return full.patch(path, { status: 'draft' });
        },
      },
    },
    deletePass: {
      good: async () => ({
        path: `/passes/${(await makePass(client, {}, 'draft')).passId}`,
        status: 204,
        also: owned,
      }),
    },
    clonePass: {
      good: () => ({ ...onPass('/clone'), other: { title: 'Tea Club' }, status: 201 }),
      errors: {
        async draft_limit_reached() {
          const { full, path } = await fullOfDrafts();
          return full.post(`${path}/clone`);
        },
      },
    },
    uploadBarcodes: {
      good: () => onPool('', { body: { barcodes: ['A-1'] }, other: { barcodes: ['A-2'] } }),
    },
    listBarcodes: { good: () => onPool() },
    deleteBarcode: { good: () => onPool('/B-1', { status: 204 }) },
    previewDesign: {
      good: () => ({ body: { passId: pass.passId, title: 'Tea' }, also: owned }),
      errors: {
        pass_not_found: () => preview({ passId: missing.passId }),
        forbidden: () => preview({ passId: strangers.passId }),
        asset_fetch_failed: () => preview({ ...newPass, logoUrl: `upload:${'0'.repeat(64)}` }),
      },
    },
    getPreviewSvg: { good: () => onPass('/preview.svg'), errors: noCard('preview.svg') },
    getPreviewPng: {
      good: () => onPass(`/preview.png?platform=google&instanceId=${card.instanceId}`),
      errors: noCard('preview.png'),
    },
  };
}
