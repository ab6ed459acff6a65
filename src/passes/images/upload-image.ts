import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { audit } from '../../engine/audit.ts';
import { type Answered, onceArrived } from '../../engine/idempotency.ts';
import { refusal } from '../../errors.ts';
import { fingerprintOf } from '../../kit/db/claims.ts';
import type { Tx } from '../../kit/db/database.ts';
import { type ApiError, invalidAs } from '../../kit/http/api-error.ts';
import { oneFile } from '../../kit/http/endpoints/one-file.ts';
import { namelessFile, readWhole } from '../../kit/nameless-file.ts';
import { mostFileBytes } from '../../kit/safe-fetch/safe-fetch.ts';
import { lockWorkspace } from '../../workspaces/own-workspace.ts';
import type { UploadedImage } from './image.schema.ts';
import { ImageRefused, inspectImage } from './render-image.ts';
import { countUploads, insertUpload, type Upload } from './uploads.sql.ts';
import { uploadDays, uploadUrl } from './uploads.ts';

interface UploadAnswer {
  readonly status: 201;
  readonly body: Static<typeof UploadedImage>;
}

/**
 * Keeps an image for the image parameters of passes. It waits in a file while it arrives, so that a slow client takes no
 * memory, and is decoded in full before it is kept, so that a broken one is refused here and not when a pass is to show it.
 * Raises `invalid_request`, `payload_too_large`, `upload_limit_reached` and `overloaded`.
 */
export async function uploadImage(
  ctx: KeyCtx,
  input: { body: Readable; contentType: string; key: string | null },
): Promise<Answered<UploadAnswer>> {
  const file = await namelessFile(ctx.app.config.dataDir);
  try {
    await file.writeFile(input.body);
    return await ctx.app.imageUploads.enter(
      ctx.workspaceId,
      async () => keepImage(ctx, imageIn(await readWhole(file), input.contentType), input.key),
      ctx.client?.signal,
    );
  } finally {
    await file.close();
  }
}

function imageIn(body: Buffer, contentType: string): Buffer {
  const bytes = /^\s*multipart\//i.test(contentType) ? oneFile(body, contentType) : body;
  if (bytes.length > mostFileBytes) throw tooLarge();
  return bytes;
}

/** What an image of more than 20 MiB is refused with, read or not. */
export function tooLarge(): ApiError {
  return refusal(
    'payload_too_large',
    `The image is larger than 20 MB (${mostFileBytes} bytes). Save it smaller: 2,000 pixels are plenty.`,
  );
}

async function keepImage(ctx: KeyCtx, bytes: Buffer, key: string | null): Promise<Answered<UploadAnswer>> {
  const { width, height } = await inspect(bytes);
  const upload = { workspaceId: ctx.workspaceId, hash: hash('sha256', bytes), bytes, width, height };
  const call = { operation: 'uploadImage', key, fingerprint: fingerprintOf([upload.hash]) };
  return onceArrived(ctx, call, (tx) => addUpload(tx, ctx, upload));
}

async function inspect(bytes: Buffer) {
  try {
    return await inspectImage(bytes);
  } catch (error) {
    // No URL is unusable, and no parameter is to blame, which is what `asset_fetch_failed` says.
    if (error instanceof ImageRefused)
      throw invalidAs('syntax', `The image cannot be used. ${error.message}`);
    throw error;
  }
}

async function addUpload(tx: Tx, ctx: KeyCtx, upload: Omit<Upload, 'keptUntil'>): Promise<UploadAnswer> {
  const now = ctx.app.now();
  const keptUntil = new Date(now.getTime() + uploadDays * 24 * 3_600_000);
  // Before the workspace is locked: the file is large, and no other call is to wait for it.
  await insertUpload(tx, { ...upload, keptUntil });
  await lockWorkspace(tx, ctx);
  await refuseTooMany(tx, ctx, now);
  const { hash, bytes, width, height } = upload;
  const url = uploadUrl(hash);
  audit(tx, ctx, { action: 'uploadImage', target: url, detail: { bytes: bytes.length, width, height } });
  return { status: 201, body: { url, width, height, expiresAt: keptUntil.toISOString() } };
}

/** So much a workspace has at a time. */
const mostUploads = 1_000;
const mostBytes = 256 * 1_048_576;

/** Raises `upload_limit_reached` where the new one is too much. It is exact while the workspace is held. */
async function refuseTooMany(tx: Tx, ctx: KeyCtx, now: Date): Promise<void> {
  const { images, bytes, firstGoesAt } = await countUploads(tx, ctx.workspaceId, now);
  if (images <= mostUploads && bytes <= mostBytes) return;
  const megabytes = mostBytes / 1_048_576;
  throw refusal(
    'upload_limit_reached',
    `A workspace has ${mostUploads} uploaded images of ${megabytes} MB together at a time. Each is kept for ${uploadDays} days; the next one goes at ${firstGoesAt?.toISOString()}. Until then give images by URL.`,
    { limit: mostUploads, byteLimit: mostBytes },
  );
}
