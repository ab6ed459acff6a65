import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  ListPrivacyRequestsQuery,
  ListStoresQuery,
  NewStore,
  PrivacyRequest,
  Store,
  StoreChanges,
  StoreTest,
} from '../types.ts';

export class StoresResource extends Resource {
  /**
   * Connect an online store.
   *
   * Orders that are placed from now on earn on the cards of the pass. Nothing is asked of the store: test
   * it with POST /stores/{storeId}/test, then have it send the topics in `webhookTopics` to `webhookUrl`.
   * docs/STORES.md goes through it platform by platform.
   *
   * Refused with `forbidden`, `pass_not_found`, `store_already_connected`.
   */
  connect(body: NewStore, options?: CallOptions): Promise<Store & Result> {
    return this.sender.json<Store>({ method: 'POST', path: '/stores', body, key: 'header' }, options);
  }

  /**
   * List stores.
   *
   * Those that were disconnected are among them.
   */
  list(query?: ListStoresQuery, options?: CallOptions): List<Store> {
    return this.sender.list<Store>({ method: 'GET', path: '/stores', query }, options);
  }

  /**
   * A store.
   *
   * `problem` says what a member has to look at: that the store cannot be read, or what its orders wait
   * for.
   *
   * Refused with `forbidden`, `store_not_found`.
   */
  get(storeId: string, options?: CallOptions): Promise<Store & Result> {
    return this.sender.json<Store>({ method: 'GET', path: path`/stores/${storeId}` }, options);
  }

  /**
   * Change credentials, webhook secret, pass or consent of a store.
   *
   * Absent leaves alone, null clears. A former webhook secret is taken for another hour. What waits is
   * tried again at once.
   *
   * Refused with `forbidden`, `store_not_found`, `pass_not_found`.
   */
  update(storeId: string, body: StoreChanges, options?: CallOptions): Promise<Store & Result> {
    return this.sender.json<Store>(
      { method: 'PATCH', path: path`/stores/${storeId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Disconnect a store.
   *
   * Its credentials are deleted, and what it sends from now on earns nothing; what it has sent before
   * still counts. Cards and points stay. Connected again, it is the same store.
   *
   * Refused with `forbidden`, `store_not_found`.
   */
  disconnect(storeId: string, options?: CallOptions): Promise<Result> {
    return this.sender.json<object>(
      { method: 'DELETE', path: path`/stores/${storeId}`, key: 'header' },
      options,
    );
  }

  /**
   * Ask a store whether it can be read.
   *
   * Asks for its name with the credentials that are kept. A store that could not be read before, and can
   * be now, is read at once; of a `custom` one nothing is asked.
   *
   * Refused with `forbidden`, `store_not_found`.
   */
  test(storeId: string, options?: CallOptions): Promise<StoreTest & Result> {
    return this.sender.json<StoreTest>({ method: 'POST', path: path`/stores/${storeId}/test` }, options);
  }

  /**
   * What a platform has demanded for the privacy of customers, and what was done.
   *
   * A `data_request` names the cards and orders of the customer, whom you answer. The service has erased
   * by itself what had to be erased.
   *
   * Refused with `forbidden`, `store_not_found`.
   */
  privacyRequests(
    storeId: string,
    query?: ListPrivacyRequestsQuery,
    options?: CallOptions,
  ): List<PrivacyRequest> {
    return this.sender.list<PrivacyRequest>(
      { method: 'GET', path: path`/stores/${storeId}/privacy-requests`, query },
      options,
    );
  }
}
