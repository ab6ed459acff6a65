import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { Result } from '../core/result.ts';
import type {
  ApiKey,
  ApiKeyChanges,
  ApiKeyWithSecret,
  CurrentKey,
  ListApiKeysQuery,
  NewApiKey,
  RotateApiKeyBody,
} from '../types.ts';

export class ApiKeysResource extends Resource {
  /**
   * The key that calls, or the person, and the workspace.
   *
   * Its access, the passes that it reaches, and how fast it may call. Of a person `keyId` is null, and
   * `role` and `partnerId` say what they may do; of a key these are null.
   */
  current(options?: CallOptions): Promise<CurrentKey & Result> {
    return this.sender.json<CurrentKey>({ method: 'GET', path: '/me' }, options);
  }

  /**
   * Create an API key.
   *
   * The secret is shown once. `read` keys may only GET; `passIds` restricts a key to those passes.
   *
   * Refused with `recent_sign_in_required`.
   */
  create(body: NewApiKey, options?: CallOptions): Promise<ApiKeyWithSecret & Result> {
    return this.sender.json<ApiKeyWithSecret>(
      { method: 'POST', path: '/api-keys', body, key: 'header' },
      options,
    );
  }

  /**
   * List API keys.
   *
   * Newest first, revoked ones included; never their secrets.
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey> {
    return this.sender.list<ApiKey>({ method: 'GET', path: '/api-keys', query }, options);
  }

  /**
   * An API key.
   *
   * Without its secret.
   *
   * Refused with `forbidden`, `api_key_not_found`.
   */
  get(keyId: string, options?: CallOptions): Promise<ApiKey & Result> {
    return this.sender.json<ApiKey>({ method: 'GET', path: path`/api-keys/${keyId}` }, options);
  }

  /**
   * Change an API key.
   *
   * Absent leaves alone. The last key that reaches everything for ever must go on doing so.
   *
   * Refused with `forbidden`, `recent_sign_in_required`, `api_key_not_found`, `last_key`.
   */
  update(keyId: string, body: ApiKeyChanges, options?: CallOptions): Promise<ApiKey & Result> {
    return this.sender.json<ApiKey>(
      { method: 'PATCH', path: path`/api-keys/${keyId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Revoke an API key.
   *
   * Every process answers 401 to it within a second.
   *
   * Refused with `forbidden`, `recent_sign_in_required`, `api_key_not_found`, `last_key`.
   */
  revoke(keyId: string, options?: CallOptions): Promise<ApiKey & Result> {
    return this.sender.json<ApiKey>(
      { method: 'DELETE', path: path`/api-keys/${keyId}`, key: 'header' },
      options,
    );
  }

  /**
   * Give an API key a new secret.
   *
   * The old secret works until the overlap ends. The new one is shown once.
   *
   * Refused with `forbidden`, `recent_sign_in_required`, `api_key_not_found`.
   */
  rotate(keyId: string, body?: RotateApiKeyBody, options?: CallOptions): Promise<ApiKeyWithSecret & Result> {
    return this.sender.json<ApiKeyWithSecret>(
      { method: 'POST', path: path`/api-keys/${keyId}/rotate`, body, key: 'header' },
      options,
    );
  }
}
