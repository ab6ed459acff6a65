import { errors } from '../../src/errors.ts';
import { decodeId } from '../../src/kit/ids.ts';
import { png } from '../../src/passes/images/pictures.fixture.ts';
import type { Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** An image of that width as a browser's form sends it. */
function imageForm(width: number): FormData {
  return formOf(png({ width, height: 100 }));
}

function formOf(bytes: Buffer): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
  return form;
}

/** Images that are uploaded, and pictures that are drawn without a key. */
export function imageScenarios({ app, client, pass }: World): Scenarios {
  const unknown = () => app.anyone.get(`/images/${'0'.repeat(64)}.png`);
  return {
    uploadImage: {
      good: () => ({ body: imageForm(100), other: imageForm(101), status: 201 }),
      errors: {
        payload_too_large: () => client.post('/images', formOf(Buffer.alloc(21 * 1_048_576))),
        async upload_limit_reached() {
          const { client: full, workspaceId } = await app.newWorkspace();
          await app.sql(
            `insert into image_uploads (workspace_id, hash, bytes, size, width, height, kept_until)
             select $1::uuid, encode(sha256(n::text::bytea), 'hex'), '', 1, 1, 1, 'infinity' from generate_series(1, 1000) n`,
            [decodeId('ws', workspaceId)],
          );
          return full.post('/images', imageForm(100));
        },
      },
    },
    getImage: {
      good: () => ({ path: `/images/${'0'.repeat(64)}.png`, status: errors.image_not_found[0] }),
      errors: { image_not_found: unknown },
    },
    getPassLogo: { good: () => ({ path: `/passes/${pass.passId}/logo.png` }) },
    getStampPicture: { good: () => ({ path: `/passes/${pass.passId}/stamps/3-10.png` }) },
  };
}
