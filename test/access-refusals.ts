import type { Access } from '../src/context.ts';
import type { ErrorCode } from '../src/errors.ts';

/** All kinds of callers. The full key comes last: what it does may be done once only. */
export const callers = [
  'anonymous',
  'malformed key',
  'unknown key',
  'revoked key',
  'key of a suspended workspace',
  'read-only key',
  'key of another pass',
  'key of another workspace',
  'operator',
  'removed person',
  'person of another workspace',
  'viewer',
  'staff',
  'paired till',
  'manager',
  'owner',
  'full key',
] as const;
export type Caller = (typeof callers)[number];

const keyless = {
  anonymous: 'missing_authorization',
  'malformed key': 'invalid_api_key',
  'unknown key': 'invalid_api_key',
  'revoked key': 'invalid_api_key',
} as const;

const keyed = {
  ...keyless,
  'key of a suspended workspace': 'workspace_suspended',
  operator: 'invalid_api_key',
  'removed person': 'invalid_session',
  'person of another workspace': 'role_required',
} as const;

const notStaff = { ...keyed, staff: 'role_required', 'paired till': 'role_required' } as const;
const onlyWriters = { 'read-only key': 'insufficient_scope', viewer: 'role_required' } as const;
const ofWorkspace = { 'key of another pass': 'insufficient_scope' } as const;
const people = [
  'removed person',
  'person of another workspace',
  'viewer',
  'staff',
  'paired till',
  'manager',
  'owner',
] as const;
export const isPerson = (caller: Caller) => people.some((person) => person === caller);
const refusedWith = (code: ErrorCode, who: readonly Caller[]): Partial<Record<Caller, ErrorCode>> =>
  Object.fromEntries(who.map((caller) => [caller, code]));

/** The code that a caller is refused with on a route of this access; callers that are missing are served. */
export const refusals: Readonly<Record<Access, Partial<Record<Caller, ErrorCode>>>> = {
  probe: {},
  public: {},
  signed: {},
  // Keys and the operator's token do not sign in, and a removed person is signed in nowhere.
  session: refusedWith(
    'invalid_session',
    callers.filter((caller) => !isPerson(caller) || caller === 'removed person'),
  ),
  operator: {
    ...keyless,
    ...refusedWith('missing_authorization', people),
    'key of a suspended workspace': 'workspace_suspended',
    'read-only key': 'insufficient_scope',
    'key of another pass': 'insufficient_scope',
    'key of another workspace': 'insufficient_scope',
    'full key': 'insufficient_scope',
  },
  'any key': keyed,
  'read till': keyed,
  'write till': { ...keyed, ...onlyWriters },
  'read pass': notStaff,
  'read export': notStaff,
  'write pass': { ...notStaff, ...onlyWriters },
  'read workspace': { ...notStaff, ...ofWorkspace },
  'write workspace': { ...notStaff, ...onlyWriters, ...ofWorkspace },
  'write owner': { ...notStaff, ...onlyWriters, ...ofWorkspace, manager: 'role_required' },
};

/** Further refusals, where the request names something that belongs to one workspace and one pass. */
export const owned: Partial<Record<Caller, ErrorCode>> = {
  'key of another workspace': 'forbidden',
  'key of another pass': 'insufficient_scope',
};
/** A search finds only what the key reaches. */
export const searched: Partial<Record<Caller, ErrorCode>> = {
  'key of another workspace': 'instance_not_found',
  'key of another pass': 'instance_not_found',
};

/** Orders have their callers' numbers, so that another workspace may have one of the same. */
export const strangersOrder: Partial<Record<Caller, ErrorCode>> = {
  'key of another workspace': 'order_not_found',
  'key of another pass': 'insufficient_scope',
};
