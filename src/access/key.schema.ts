import { Type } from 'typebox';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, Moment, nullable, oneOf, partial, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import { roles } from '../people/roles.ts';
import { Plan } from '../workspaces/workspace.schema.ts';
import type { KeyRow } from './keys.sql.ts';

const RateLimit = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: "requests per second; null for the installation's default",
  }),
);

const keySettings = {
  name: line(120),
  access: oneOf(['full', 'read']),
  passIds: nullable(
    Type.Array(Id, {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'the only passes it reaches; null for all',
    }),
  ),
  rateLimit: RateLimit,
  expiresAt: nullable(Moment),
};

export const NewApiKey = named(
  'NewApiKey',
  closed({
    name: keySettings.name,
    access: keySettings.access,
    passIds: Type.Optional(keySettings.passIds),
    rateLimit: Type.Optional(keySettings.rateLimit),
    expiresAt: Type.Optional(keySettings.expiresAt),
  }),
);

export const ApiKeyChanges = named('ApiKeyChanges', partial(keySettings));

const keyFields = {
  keyId: Id,
  name: Type.String(),
  access: keySettings.access,
  passIds: nullable(Type.Array(Id)),
  rateLimit: RateLimit,
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  lastUsedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const ApiKey = closed(keyFields, { $id: 'ApiKey' });
export const ApiKeyWithSecret = named(
  'ApiKeyWithSecret',
  closed({
    ...keyFields,
    secret: Type.String({ description: 'shown only here' }),
  }),
);

export const Rotation = Type.Optional(
  closed({
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'how long the old secret still works; default 0',
      }),
    ),
  }),
);

export const Me = named(
  'CurrentKey',
  closed({
    keyId: nullable(Id),
    personId: nullable(Id),
    role: nullable(oneOf(roles)),
    partnerId: nullable(Id),
    name: Type.String(),
    access: keySettings.access,
    passIds: nullable(Type.Array(Id)),
    workspace: closed({
      workspaceId: Id,
      name: Type.String(),
      plan: Plan,
      credits: Type.Integer(),
      drafts: Type.Integer(),
    }),
    rateLimit: Type.Integer({ description: 'requests per second' }),
  }),
);

/** A key as the API shows it: never its secret. */
export function presentKey(row: KeyRow) {
  return {
    keyId: encodeId('key', row.keyId),
    name: row.name,
    access: row.access,
    passIds: row.passIds?.map((passId) => encodeId('pass', passId)) ?? null,
    rateLimit: row.rateLimit,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
