import type { KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import type { BulkheadOptions } from '../../kit/limits/bulkhead.ts';
import { findUpload } from './uploads.sql.ts';

/** The time that an upload is kept, whether or not a pass is made of it: a pass has files of its own. */
export const uploadDays = 3;

/** Images that were uploaded, up to 20 MiB each: so many of them lie in memory at a time, of a workspace and of all. */
export const uploadPlaces: BulkheadOptions = {
  places: { perKey: 2, total: 4 },
  waiting: { perKey: 50, total: 500 },
  maxQueueMs: 30_000,
  refusal: () => refusal('overloaded', 'Too many images are being uploaded. Retry shortly.'),
};

const scheme = 'upload:';

/** What the image parameters call an upload. No browser opens it. */
export function uploadUrl(hash: string): string {
  return `${scheme}${hash}`;
}

/** Whether a URL is that of an upload, whether or not there is such an upload. */
export function isUpload(url: string): boolean {
  return url.slice(0, scheme.length).toLowerCase() === scheme;
}

/** What `use` makes of the bytes of an upload; null where the caller's workspace has none of that URL. */
export function useUpload<T>(
  ctx: KeyCtx,
  url: string,
  use: (bytes: Buffer) => Promise<T>,
  signal: AbortSignal,
): Promise<T | null> {
  const hash = url.slice(scheme.length);
  const { database, now, imageUploads } = ctx.app;
  const work = async () => {
    const bytes = await findUpload(database.db, ctx.workspaceId, hash, now());
    return bytes === undefined ? null : await use(bytes);
  };
  return imageUploads.enter(ctx.workspaceId, work, signal);
}
