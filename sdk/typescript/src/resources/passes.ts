import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { FileResult, Result } from '../core/result.ts';
import type {
  ClonePassBody,
  DesignedPass,
  DesignPreview,
  GetPreviewPngQuery,
  GetPreviewSvgQuery,
  ListPassesQuery,
  NewPass,
  Pass,
  PassChanges,
} from '../types.ts';

export class PassesResource extends Resource {
  /**
   * Create a pass.
   *
   * A pass is a design: what all its cards share. It begins as a draft; publish it to issue cards.
   *
   * Refused with `draft_limit_reached`, `payload_too_large`, `asset_fetch_failed`.
   */
  create(body: NewPass, options?: CallOptions): Promise<Pass & Result> {
    return this.sender.json<Pass>({ method: 'POST', path: '/passes', body, key: 'header' }, options);
  }

  /**
   * List passes.
   *
   * In the order of their making, newest first; of a key that is restricted to some passes, those. Of
   * more than ten places a list has the first ten, and `moreLocations` says how many `GET
   * /v1/passes/{passId}` has besides.
   */
  list(query?: ListPassesQuery, options?: CallOptions): List<Pass> {
    return this.sender.list<Pass>({ method: 'GET', path: '/passes', query }, options);
  }

  /**
   * A pass.
   *
   * Its design, what is left of its codes, and how many cards there are.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  get(passId: string, options?: CallOptions): Promise<Pass & Result> {
    return this.sender.json<Pass>({ method: 'GET', path: path`/passes/${passId}` }, options);
  }

  /**
   * Change a pass, or publish, archive or reopen it.
   *
   * Absent leaves alone, null clears. `{"status":"published"}` publishes. What cards show changes for all
   * holders at once; installed cards are pushed to in the background, at a credit each, and `rollout`
   * says how far that has come.
   *
   * Refused with `forbidden`, `pass_not_found`, `draft_limit_reached`, `payload_too_large`,
   * `asset_fetch_failed`.
   */
  update(passId: string, body: PassChanges, options?: CallOptions): Promise<Pass & Result> {
    return this.sender.json<Pass>(
      { method: 'PATCH', path: path`/passes/${passId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Delete a pass without instances.
   *
   * Only a pass that no card was ever issued of can be deleted; archive the others.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  delete(passId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/passes/${passId}`, key: 'header' },
      options,
    );
  }

  /**
   * How far the newest change of a pass has come, as it goes on.
   *
   * Server-sent events: `progress` with what `getPass` answers, at once unless Last-Event-ID names that
   * state, and whenever it changes; `done` with the same once its `rollout` has finished, and then the
   * stream ends. Who comes again with the id of that is answered 204, which ends an EventSource. A
   * comment every 15 seconds while nothing happens. A key that is revoked is cut off.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  progress(passId: string, options?: CallOptions): Promise<FileResult> {
    return this.sender.file({ method: 'GET', path: path`/passes/${passId}/progress` }, options);
  }

  /**
   * Copy a design into a new draft.
   *
   * No instances, program or pool codes come along.
   *
   * Refused with `forbidden`, `pass_not_found`, `draft_limit_reached`.
   */
  clone(passId: string, body?: ClonePassBody, options?: CallOptions): Promise<Pass & Result> {
    return this.sender.json<Pass>(
      { method: 'POST', path: path`/passes/${passId}/clone`, body, key: 'header' },
      options,
    );
  }

  /**
   * A design before it is kept.
   *
   * Draws what a new card of the design would show, in both wallets and on the web, and says how many
   * cards the change would reach and what it would cost. Writes nothing. The body is that of creating a
   * pass, or with `passId` that of changing it; images from the web are fetched when it is kept, uploads
   * are drawn at once. `warnings` name what wallets would not show as one may expect.
   *
   * Refused with `forbidden`, `pass_not_found`, `asset_fetch_failed`.
   */
  previewDesign(body?: DesignedPass, options?: CallOptions): Promise<DesignPreview & Result> {
    return this.sender.json<DesignPreview>({ method: 'POST', path: '/passes/preview', body }, options);
  }

  /**
   * A card as a wallet shows it, as SVG.
   *
   * How the card looks in the wallet, with its real barcode, as far as a drawing can show. It holds all
   * that it shows: pictures are part of it, and nothing is loaded. Equal cards give equal bytes.
   *
   * Refused with `forbidden`, `pass_not_found`, `instance_not_found`.
   */
  previewSvg(passId: string, query?: GetPreviewSvgQuery, options?: CallOptions): Promise<FileResult> {
    return this.sender.file({ method: 'GET', path: path`/passes/${passId}/preview.svg`, query }, options);
  }

  /**
   * A card as a wallet shows it, as PNG.
   *
   * How the card looks in the wallet, with its real barcode, as far as a drawing can show. It holds all
   * that it shows: pictures are part of it, and nothing is loaded. Equal cards give equal bytes.
   *
   * Refused with `forbidden`, `pass_not_found`, `instance_not_found`.
   */
  previewPng(passId: string, query?: GetPreviewPngQuery, options?: CallOptions): Promise<FileResult> {
    return this.sender.file({ method: 'GET', path: path`/passes/${passId}/preview.png`, query }, options);
  }
}
