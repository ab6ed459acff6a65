import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  Consent,
  GetTimelineQuery,
  ImportInstancesBody,
  Instance,
  InstanceChanges,
  InstanceDiagnosis,
  InstanceEvent,
  InstanceResults,
  IssueBatchBody,
  KnownInstance,
  ListConsentsQuery,
  ListInstancesQuery,
  LookUpInstanceQuery,
  NewInstance,
  UpdatedInstance,
  UpdateFieldsBatchBody,
  UpdateFieldsBody,
  UpdateResults,
  VoidBatchBody,
  VoidInstanceBody,
} from '../types.ts';

export class InstancesResource extends Resource {
  /**
   * Issue a pass: one holder's card.
   *
   * Idempotent by externalRef, and by holder.identifier: a holder who already has the card gets 200 with
   * it, unchanged. With `onExisting: "update"` that card takes over the details of the holder and the
   * fields that are sent, as an update of it would, and the answer says the outcome of the push.
   *
   * Refused with `pass_archived`, `fields_not_editable`, `template_owned_field`, `unknown_field_key`,
   * `no_loyalty_program`, `forbidden`, `pass_not_found`, `partner_not_found`, `pass_not_active`,
   * `fields_update_unsupported`, `barcode_taken`, `pool_exhausted`, `holder_has_active_instance`.
   */
  issue(
    passId: string,
    body?: NewInstance,
    options?: CallOptions,
  ): Promise<(KnownInstance | Instance) & Result> {
    return this.sender.json<KnownInstance | Instance>(
      { method: 'POST', path: path`/passes/${passId}/instances`, body, key: 'externalRef' },
      options,
    );
  }

  /**
   * List the cards of a pass.
   *
   * Newest first, voided ones included unless `status` says otherwise. With `q` they come in the order of
   * what was found, and a page may hold fewer than `limit`: go on while there is a `nextCursor`.
   * `include=details` adds when each was awarded last, and what its holder has agreed to.
   *
   * Refused with `forbidden`, `pass_not_found`, `partner_not_found`.
   */
  list(passId: string, query?: ListInstancesQuery, options?: CallOptions): List<Instance> {
    return this.sender.list<Instance>(
      { method: 'GET', path: path`/passes/${passId}/instances`, query },
      options,
    );
  }

  /**
   * Issue up to 1,000 cards.
   *
   * Each item stands alone: it is issued, repeated or refused whatever becomes of the others.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  issueBatch(passId: string, body: IssueBatchBody, options?: CallOptions): Promise<InstanceResults & Result> {
    return this.sender.json<InstanceResults>(
      { method: 'POST', path: path`/passes/${passId}/instances/batch`, body, key: 'header' },
      options,
    );
  }

  /**
   * Import up to 1,000 cards that were issued elsewhere.
   *
   * They keep their barcodes. Unless asked otherwise no wallet link of ours reaches them yet.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  importBatch(
    passId: string,
    body: ImportInstancesBody,
    options?: CallOptions,
  ): Promise<InstanceResults & Result> {
    return this.sender.json<InstanceResults>(
      { method: 'POST', path: path`/passes/${passId}/instances/import`, body, key: 'header' },
      options,
    );
  }

  /**
   * Find a card by its barcode.
   *
   * Send a barcode, or an instanceId. A code that several cards carry, voided ones included, needs passId
   * or identifier as well. An expired card is found: `expired` says so.
   *
   * Refused with `forbidden`, `instance_not_found`, `pass_not_found`, `ambiguous_barcode`.
   */
  lookUp(query?: LookUpInstanceQuery, options?: CallOptions): Promise<Instance & Result> {
    return this.sender.json<Instance>({ method: 'GET', path: '/instances/lookup', query }, options);
  }

  /**
   * A card.
   *
   * What it shows, whose it is, and where the holder gets it.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  get(instanceId: string, options?: CallOptions): Promise<Instance & Result> {
    return this.sender.json<Instance>({ method: 'GET', path: path`/instances/${instanceId}` }, options);
  }

  /**
   * Change holder, expiry, metadata or fields of a card.
   *
   * Absent leaves alone, null clears. `metadata` is replaced as a whole, `fields` one by one, as PATCH
   * …/fields does. Installed cards are pushed to where they show the change.
   *
   * Refused with `fields_not_editable`, `template_owned_field`, `unknown_field_key`, `forbidden`,
   * `instance_not_found`, `instance_voided`, `fields_update_unsupported`, `holder_has_active_instance`.
   */
  update(
    instanceId: string,
    body: InstanceChanges,
    options?: CallOptions,
  ): Promise<UpdatedInstance & Result> {
    return this.sender.json<UpdatedInstance>(
      { method: 'PATCH', path: path`/instances/${instanceId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Erase the person behind a card.
   *
   * Voids the card and deletes holder, own values and metadata, what you have said of its entries
   * (`reason`) and of its orders (`items`), and invitations of its holder to the pass. Its barcode
   * becomes another one that was never given: the former is found no more, and is free again. What the
   * ledger counts stays, without a word; repeated calls are answered as they were, without the person.
   * Your names of things stay (externalRef, Idempotency-Key, orderId, refundId), since repeats are known
   * by them: put nothing personal in them.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  erase(instanceId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/instances/${instanceId}`, key: 'header' },
      options,
    );
  }

  /**
   * What the holder of a card has agreed to.
   *
   * Each time that they enrolled, with the text as they read it; newest first.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  consents(instanceId: string, query?: ListConsentsQuery, options?: CallOptions): List<Consent> {
    return this.sender.list<Consent>(
      { method: 'GET', path: path`/instances/${instanceId}/consents`, query },
      options,
    );
  }

  /**
   * Change what one holder sees in the fields of the pass.
   *
   * null leaves a field blank, `{ "useDefault": true }` returns it to the value of the pass. One bad key
   * and nothing is changed.
   *
   * Refused with `fields_not_editable`, `template_owned_field`, `unknown_field_key`, `forbidden`,
   * `instance_not_found`, `instance_voided`, `fields_update_unsupported`.
   */
  updateFields(
    instanceId: string,
    body: UpdateFieldsBody,
    options?: CallOptions,
  ): Promise<UpdatedInstance & Result> {
    return this.sender.json<UpdatedInstance>(
      { method: 'PATCH', path: path`/instances/${instanceId}/fields`, body, key: 'externalRef' },
      options,
    );
  }

  /**
   * Void a card.
   *
   * It can no longer earn or redeem, and the wallets show it as void. Its history stays, and it can be
   * made valid again. The reason is shown with the card; voiding it again leaves the first.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  void(
    instanceId: string,
    body?: VoidInstanceBody,
    options?: CallOptions,
  ): Promise<UpdatedInstance & Result> {
    return this.sender.json<UpdatedInstance>(
      { method: 'POST', path: path`/instances/${instanceId}/void`, body, key: 'header' },
      options,
    );
  }

  /**
   * Change the fields of up to 1,000 cards.
   *
   * Of any passes. Each item stands alone: it is applied, repeated or refused whatever becomes of the
   * others. One without an externalRef is repeated under the Idempotency-Key and its place.
   */
  updateFieldsBatch(body: UpdateFieldsBatchBody, options?: CallOptions): Promise<UpdateResults & Result> {
    return this.sender.json<UpdateResults>(
      { method: 'POST', path: '/instances/fields/batch', body, key: 'header' },
      options,
    );
  }

  /**
   * Void up to 1,000 cards.
   *
   * Of any passes. Each item stands alone: it is applied, repeated or refused whatever becomes of the
   * others. Under an Idempotency-Key, an item is repeated by its place.
   */
  voidBatch(body: VoidBatchBody, options?: CallOptions): Promise<UpdateResults & Result> {
    return this.sender.json<UpdateResults>(
      { method: 'POST', path: '/instances/void/batch', body, key: 'header' },
      options,
    );
  }

  /**
   * Make a voided card valid again.
   *
   * Unless it was erased, or its holder has got another card of the pass since.
   *
   * Refused with `forbidden`, `instance_not_found`, `holder_has_active_instance`.
   */
  reactivate(instanceId: string, options?: CallOptions): Promise<UpdatedInstance & Result> {
    return this.sender.json<UpdatedInstance>(
      { method: 'POST', path: path`/instances/${instanceId}/reactivate`, key: 'header' },
      options,
    );
  }

  /**
   * What happened to a card, newest first.
   *
   * Every change, push, installation and removal, with what came of it.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  timeline(instanceId: string, query?: GetTimelineQuery, options?: CallOptions): List<InstanceEvent> {
    return this.sender.list<InstanceEvent>(
      { method: 'GET', path: path`/instances/${instanceId}/timeline`, query },
      options,
    );
  }

  /**
   * Why a phone does not show an update of a card.
   *
   * Everything on the way from the card to its wallets, in this order, with words for a person and a code
   * for programs. `error` stays until a person does something about it, `warning` delays or passes by
   * itself. No device is named.
   *
   * Refused with `forbidden`, `instance_not_found`.
   */
  diagnosis(instanceId: string, options?: CallOptions): Promise<InstanceDiagnosis & Result> {
    return this.sender.json<InstanceDiagnosis>(
      { method: 'GET', path: path`/instances/${instanceId}/diagnosis` },
      options,
    );
  }

  /**
   * Deliver the current state of a card again.
   *
   * Applies nothing, so it is the safe way to make up for a push that was skipped: send this, not the
   * update or award again. It costs a credit unless the newest state is on its way already, or a top-up
   * has paid for it.
   *
   * Refused with `insufficient_credits`, `forbidden`, `instance_not_found`, `instance_voided`.
   */
  push(instanceId: string, options?: CallOptions): Promise<UpdatedInstance & Result> {
    return this.sender.json<UpdatedInstance>(
      { method: 'POST', path: path`/instances/${instanceId}/push`, key: 'header' },
      options,
    );
  }
}
