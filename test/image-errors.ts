import { decodeId } from '../src/kit/ids.ts';
import { png } from '../src/passes/images/pictures.fixture.ts';
import type { Reply } from './client.ts';
import type { TestApp } from './harness.ts';

/** An image of that width as a browser's form sends it. */
export function imageForm(width: number): FormData {
  return formOf(png({ width, height: 100 }));
}

function formOf(bytes: Buffer): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
  return form;
}

/** How the upload of images is refused, and a design with them; the ids are those of passes. */
export function imageErrors(
  app: TestApp,
  { nobodys, strangers }: { readonly nobodys: string | undefined; readonly strangers: string | undefined },
): Record<string, Record<string, () => Promise<Reply>>> {
  const preview = (design: object) => app.client.post('/passes/preview', design);
  return {
    previewDesign: {
      pass_not_found: () => preview({ passId: nobodys }),
      forbidden: () => preview({ passId: strangers }),
      asset_fetch_failed: () => preview({ title: 'A', type: 'coupon', logoUrl: `upload:${'0'.repeat(64)}` }),
    },
    uploadImage: {
      payload_too_large: () => app.client.post('/images', formOf(Buffer.alloc(21 * 1_048_576))),
      async upload_limit_reached() {
        const { client, workspaceId } = await app.newWorkspace();
        await app.sql(
          `insert into image_uploads (workspace_id, hash, bytes, size, width, height, kept_until)
           select $1::uuid, encode(sha256(n::text::bytea), 'hex'), '', 1, 1, 1, 'infinity' from generate_series(1, 1000) n`,
          [decodeId('ws', workspaceId)],
        );
        return client.post('/images', imageForm(100));
      },
    },
  };
}
