import type { CallOptions, FileBody } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { UploadedImage } from '../types.ts';

export class ImagesResource extends Resource {
  /**
   * Upload an image.
   *
   * A PNG, JPEG or WebP of 20 MB at most, as the body or as the one file of a form. Use its `url` in
   * `iconUrl`, `logoUrl` and the other image parameters of this workspace, as often as you like, until it
   * `expiresAt`, after three days; passes that were made of it go on showing it. It is decoded at once:
   * what is broken, or too small for every slot, is `invalid_request`. A workspace has 1,000 of them at a
   * time, of 256 MB together.
   *
   * Refused with `upload_limit_reached`, `payload_too_large`.
   */
  upload(file: FileBody, options?: CallOptions): Promise<UploadedImage & Result> {
    return this.sender.json<UploadedImage>(
      { method: 'POST', path: '/images', file: { mediaType: 'image/png', content: file }, key: 'header' },
      options,
    );
  }
}
