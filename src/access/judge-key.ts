import type { Access, App, AskKeyAgain, KeyCtx } from '../context.ts';
import { refusal, toApiError } from '../errors.ts';
import { encodeId } from '../kit/ids.ts';
import type { Role } from '../people/roles.ts';
import { lockWorkspaceRow } from '../workspaces/workspaces.sql.ts';
import { isSessionLive, personCallerOf, unknownSession } from './judge-person.ts';
import { type AdmittedKeyRow, findKeysBySecret } from './keys.sql.ts';
import { isOfPasses, permits } from './permits.ts';
import { type AdmittedSession, findSessionsBySecret } from './sessions.sql.ts';

/** Every API key begins with it. */
export const secretPrefix = 'pk_live_';

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
    key: {
      kind: 'key',
      secretHash,
      name,
      role: roleOf[access],
      access,
      partnerId: null,
      deviceId: null,
      rateLimit,
    },
  };
}

const roleOf: Readonly<Record<'full' | 'read', Role>> = { full: 'owner', read: 'viewer' };

function refuseOutOfScope(key: AdmittedKeyRow, access: Access): void {
  if (access === 'operator')
    throw refusal('insufficient_scope', 'Operator routes take the operator token, not an API key.');
  if (!permits(roleOf[key.access], access)) {
    throw refusal('insufficient_scope', 'This API key is read-only. Use a key with full access.');
  }
  if (!isOfPasses(access) && key.passIds !== null) {
    throw refusal(
      'insufficient_scope',
      'This API key is restricted to certain passes. Use an unrestricted key.',
    );
  }
}

/** With the age that the caches of keys and sessions may have, a second: a revoked one works no longer than that. */
const defaultLateMs = 200;

/** The ways to ask again for the key or session of a caller, once for all callers. */
export const askKeyAgain: AskKeyAgain = {
  async ifLate(ctx, lateMs = defaultLateMs) {
    if (performance.now() - ctx.admittedAt < lateMs) return ctx;
    const { keyCache, sessionCache } = ctx.app;
    const { kind, secretHash } = ctx.key;
    const asked =
      kind === 'key'
        ? keyCache.find(secretHash).then((row) => judge(ctx, row))
        : sessionCache.find(secretHash).then((row) => judgePerson(ctx, row));
    return asked.catch((error) => {
      throw toApiError(error, true);
    });
  },

  async beforeAnswer(ctx, lateMs) {
    const latest = await askKeyAgain.ifLate(ctx, lateMs);
    if (mayReadAll(latest, ctx)) return;
    const message = 'What you may read here was changed while the answer was made. Ask again.';
    throw refusal(ctx.key.kind === 'key' ? 'insufficient_scope' : 'role_required', message);
  },

  async now(db, ctx) {
    const { kind, secretHash } = ctx.key;
    if (kind === 'key') return judge(ctx, (await findKeysBySecret(db, 'all', [secretHash]))[0]);
    return judgePerson(ctx, (await findSessionsBySecret(db, 'all', [secretHash]))[0]);
  },

  async holding(tx, ctx) {
    // A transaction that changes a key or a role, or suspends the workspace, locks it, too.
    await lockWorkspaceRow(tx, ctx.workspaceId);
    return askKeyAgain.now(tx, ctx);
  },
};

/** Whether a caller may read all that it might before. */
function mayReadAll({ passIds, key }: KeyCtx, before: KeyCtx): boolean {
  const lost = [...(before.passIds ?? ['all'])].some((passId) => passIds?.has(passId) === false);
  const isOther = key.partnerId !== null && key.partnerId !== before.key.partnerId;
  return !lost && !isOther && (key.access === 'full' || before.key.access === 'read');
}

function judge(ctx: KeyCtx, key: AdmittedKeyRow | undefined): KeyCtx {
  if (!isLive(ctx.app, key)) throw unknownKey();
  return { ...ctx, ...callerOf(key, ctx.access), admittedAt: performance.now() };
}

function judgePerson(ctx: KeyCtx, session: AdmittedSession | undefined): KeyCtx {
  if (!isSessionLive(ctx.app, session)) throw unknownSession();
  const caller = personCallerOf(ctx.app, session, ctx.workspaceId, ctx.access);
  return { ...ctx, ...caller, admittedAt: performance.now() };
}
