import type { CallOptions, FileBody } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { bodyOf, path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type { ListBarcodesQuery, PoolBarcode, UploadBarcodesBody, UploadReport } from '../types.ts';

export class BarcodesResource extends Resource {
  /**
   * Add barcodes to the pool of a pass.
   *
   * Up to 50,000 at once, as JSON or as CSV with one code a line; cards get them in this order, in the
   * NFC form of Unicode. All good codes are added together: `rejected` names the others. What is in the
   * pool or on a card already is left alone, so a repeat harms nothing. Works in every state of the pass.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  upload(
    passId: string,
    body: UploadBarcodesBody | FileBody,
    options?: CallOptions,
  ): Promise<UploadReport & Result> {
    return this.sender.json<UploadReport>(
      { method: 'POST', path: path`/passes/${passId}/barcodes`, ...bodyOf(body, 'text/csv'), key: 'header' },
      options,
    );
  }

  /**
   * The barcodes in the pool of a pass.
   *
   * In the order of their upload, which is the order in which cards get them.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  list(passId: string, query?: ListBarcodesQuery, options?: CallOptions): List<PoolBarcode> {
    return this.sender.list<PoolBarcode>(
      { method: 'GET', path: path`/passes/${passId}/barcodes`, query },
      options,
    );
  }

  /**
   * Delete a barcode that waits for a card.
   *
   * One that is on a card stays there.
   *
   * Refused with `forbidden`, `pass_not_found`, `barcode_not_found`.
   */
  delete(passId: string, barcode: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/passes/${passId}/barcodes/${barcode}`, key: 'header' },
      options,
    );
  }
}
