import type { Access, App, KeyCtx } from '../../context.ts';
import { refusal } from '../../errors.ts';
import { encodeId } from '../../kit/ids.ts';
import type { AdmittedKeyRow } from './keys.sql.ts';

/** Whether a key and the secret that was sent still count. */
export function isLive({ now }: Pick<App, 'now'>, key: AdmittedKeyRow | undefined): key is AdmittedKeyRow {
  if (key === undefined || key.revokedAt !== null) return false;
  const at = now();
  return [key.expiresAt, key.secretExpiresAt].every((end) => end === null || end > at);
}

/** What a live key makes of its caller on a route. Raises `workspace_suspended` and `insufficient_scope`. */
export function callerOf(key: AdmittedKeyRow, access: Access): Caller {
  if (key.suspendedAt !== null)
    throw refusal('workspace_suspended', 'This workspace is suspended. Ask the operator.');
  refuseOutOfScope(key, access);
  let caller = callers.get(key);
  if (caller === undefined) {
    caller = describe(key);
    callers.set(key, caller);
  }
  return caller;
}

/** `invalid_api_key`, for one that is not live. */
export function unknownKey() {
  return refusal('invalid_api_key', 'This API key is unknown, expired or revoked.');
}

type Caller = Pick<KeyCtx, 'workspaceId' | 'actor' | 'passIds' | 'key'>;

/** Rows stay in the cache for many requests. */
const callers = new WeakMap<AdmittedKeyRow, Caller>();

function describe({
  workspaceId,
  keyId,
  secretHash,
  passIds,
  name,
  access,
  rateLimit,
}: AdmittedKeyRow): Caller {
  return {
    workspaceId,
    actor: encodeId('key', keyId),
    passIds: passIds === null ? null : new Set(passIds),
    key: { keyId, secretHash, name, access, rateLimit },
  };
}

function refuseOutOfScope(key: AdmittedKeyRow, access: Access): void {
  if (access === 'operator')
    throw refusal('insufficient_scope', 'Operator routes take the operator token, not an API key.');
  if (access.startsWith('write') && key.access === 'read') {
    throw refusal('insufficient_scope', 'This API key is read-only. Use a key with full access.');
  }
  if (access.endsWith('workspace') && key.passIds !== null) {
    throw refusal(
      'insufficient_scope',
      'This API key is restricted to certain passes. Use an unrestricted key.',
    );
  }
}
