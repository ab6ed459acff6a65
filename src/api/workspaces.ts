import * as keyShapes from '../access/key.schema.ts';
import { listKeys } from '../access/keys.sql.ts';
import {
  findOwnKey,
  revokeApiKey as revokeApiKeyVerb,
  rotateApiKey as rotateApiKeyVerb,
  updateApiKey as updateApiKeyVerb,
} from '../administration/api-keys.ts';
import { createAnyApiKey as createAnyApiKeyVerb } from '../administration/create-any-api-key.ts';
import { createApiKey as createApiKeyVerb } from '../administration/create-api-key.ts';
import { createWorkspace as createWorkspaceVerb } from '../administration/create-workspace.ts';
import { readOwnWorkspace } from '../administration/list-workspaces.ts';
import {
  findAnyWorkspace,
  updateAnyWorkspace as updateAnyVerb,
  updateWorkspace as updateOwnVerb,
} from '../administration/update-workspace.ts';
import { listWithFigures } from '../administration/workspace-lists.sql.ts';
import type { KeyCtx, OperatorCtx } from '../context.ts';
import { answer, endpoint, operatorWriteEndpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import * as shapes from '../workspaces/workspace.schema.ts';

const tag = 'Workspaces and keys';
const KeyPath = closed({ keyId: Id });
const WorkspacePath = closed({ workspaceId: Id });

export const getMe = endpoint({
  op: 'getMe',
  call: 'apiKeys.current',
  tag,
  summary: 'The key that calls, or the person, and the workspace',
  description:
    'Its access, the passes that it reaches, and how fast it may call. Of a person `keyId` is null, and `role` and `partnerId` say what they may do; of a key these are null.',
  answers: { 200: keyShapes.Me },
  async handle(ctx: KeyCtx) {
    const { workspaceId, name, plan, credits, drafts } = await readOwnWorkspace(ctx);
    const { key } = ctx;
    const body = {
      keyId: key.kind === 'key' ? ctx.actor : null,
      personId: key.kind === 'person' ? ctx.actor : null,
      name: key.name,
      role: key.kind === 'person' ? key.role : null,
      partnerId: key.partnerId === null ? null : encodeId('part', key.partnerId),
      access: key.access,
      passIds: ctx.passIds === null ? null : [...ctx.passIds].map((passId) => encodeId('pass', passId)),
      workspace: { workspaceId: encodeId('ws', workspaceId), name, plan, credits, drafts },
      rateLimit: key.rateLimit ?? ctx.app.config.rateLimitPerSecond,
    };
    return answer(200, body);
  },
});

export const getWorkspace = endpoint({
  op: 'getWorkspace',
  call: 'workspace.get',
  tag,
  summary: 'Your workspace',
  description: 'Its settings, credits and drafts.',
  answers: { 200: shapes.Workspace },
  handle: async (ctx: KeyCtx) => answer(200, shapes.presentWorkspace(await readOwnWorkspace(ctx))),
});

export const updateWorkspace = writeEndpoint({
  op: 'updateWorkspace',
  call: 'workspace.update',
  tag,
  summary: 'Change name, time zone, locale, currency or defaults',
  description: 'The name is shown on every card. `defaults` fill what POST /passes leaves out.',
  body: shapes.WorkspaceChanges,
  example: { name: 'Blue Bean', timezone: 'Europe/Berlin', currency: 'EUR' },
  answers: { 200: shapes.Workspace },
  handle: async (tx, ctx, { body }) => answer(200, await updateOwnVerb(tx, ctx, body)),
});

export const createApiKey = writeEndpoint({
  op: 'createApiKey',
  call: 'apiKeys.create',
  tag,
  summary: 'Create an API key',
  description:
    'The secret is shown once. `read` keys may only GET; `passIds` restricts a key to those passes.',
  sealed: true,
  body: keyShapes.NewApiKey,
  example: { name: 'Till 4', access: 'full', rateLimit: 20 },
  answers: { 201: keyShapes.ApiKeyWithSecret },
  handle: async (tx, ctx, { body }) => answer(201, await createApiKeyVerb(tx, ctx, body)),
});

export const listApiKeys = endpoint({
  op: 'listApiKeys',
  call: 'apiKeys.list',
  tag,
  summary: 'List API keys',
  description: 'Newest first, revoked ones included; never their secrets.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(keyShapes.ApiKey) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const page = pageMade(ctx, `listApiKeys/${ctx.workspaceId}`, query);
    const rows = await listKeys(db, ctx.workspaceId, page);
    return answer(200, page.of(rows, 'keyId', keyShapes.presentKey));
  },
});

export const getApiKey = endpoint({
  op: 'getApiKey',
  call: 'apiKeys.get',
  tag,
  summary: 'An API key',
  description: 'Without its secret.',
  params: KeyPath,
  answers: { 200: keyShapes.ApiKey },
  errors: ['api_key_not_found', 'forbidden'],
  async handle(ctx: KeyCtx, { params }) {
    return answer(200, keyShapes.presentKey(await findOwnKey(ctx.app.database.db, ctx, params.keyId)));
  },
});

export const updateApiKey = writeEndpoint({
  op: 'updateApiKey',
  call: 'apiKeys.update',
  tag,
  summary: 'Change an API key',
  description: 'Absent leaves alone. The last key that reaches everything for ever must go on doing so.',
  params: KeyPath,
  body: keyShapes.ApiKeyChanges,
  example: { rateLimit: 500 },
  answers: { 200: keyShapes.ApiKey },
  errors: ['api_key_not_found', 'forbidden', 'last_key'],
  committed: (ctx) => ctx.app.keyCache.clear(),
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updateApiKeyVerb(tx, ctx, { keyId: params.keyId, changes: body })),
});

export const revokeApiKey = writeEndpoint({
  op: 'revokeApiKey',
  call: 'apiKeys.revoke',
  tag,
  summary: 'Revoke an API key',
  description: 'Every process answers 401 to it within a second.',
  params: KeyPath,
  answers: { 200: keyShapes.ApiKey },
  errors: ['api_key_not_found', 'forbidden', 'last_key'],
  committed: (ctx) => ctx.app.keyCache.clear(),
  handle: async (tx, ctx, { params }) => answer(200, await revokeApiKeyVerb(tx, ctx, params)),
});

export const rotateApiKey = writeEndpoint({
  op: 'rotateApiKey',
  call: 'apiKeys.rotate',
  tag,
  summary: 'Give an API key a new secret',
  description: 'The old secret works until the overlap ends. The new one is shown once.',
  sealed: true,
  params: KeyPath,
  body: keyShapes.Rotation,
  example: { overlapSeconds: 3600 },
  answers: { 201: keyShapes.ApiKeyWithSecret },
  errors: ['api_key_not_found', 'forbidden'],
  effect: ({ params, body }) => [params.keyId, body?.overlapSeconds ?? 0],
  committed: (ctx) => ctx.app.keyCache.clear(),
  handle: async (tx, ctx, { params, body }) =>
    answer(
      201,
      await rotateApiKeyVerb(tx, ctx, { keyId: params.keyId, overlapSeconds: body?.overlapSeconds ?? 0 }),
    ),
});

export const createWorkspace = operatorWriteEndpoint({
  op: 'createWorkspace',
  call: 'operator.createWorkspace',
  tag: 'Operator',
  summary: 'Create a workspace',
  description:
    'A tenant with its own passes, keys and credits: as many as the setting DEFAULT_CREDITS says, unless the body says so. The key is shown once.',
  sealed: true,
  body: shapes.NewWorkspace,
  example: { name: 'Blue Bean', plan: 'pro', credits: 10_000 },
  answers: { 201: shapes.CreatedWorkspace },
  handle: async (tx, ctx, { body }) => answer(201, await createWorkspaceVerb(tx, ctx, body)),
});

export const listWorkspaces = endpoint({
  op: 'listWorkspaces',
  call: 'operator.listWorkspaces',
  tag: 'Operator',
  summary: 'List workspaces',
  description: 'Newest first, suspended ones included.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Workspace) },
  async handle(ctx: OperatorCtx, { query }) {
    const page = pageMade(ctx, 'listWorkspaces', query);
    const rows = await listWithFigures(ctx.app.database.db, page);
    return answer(200, page.of(rows, 'workspaceId', shapes.presentWorkspace));
  },
});

export const getAnyWorkspace = endpoint({
  op: 'getAnyWorkspace',
  call: 'operator.getWorkspace',
  tag: 'Operator',
  summary: 'A workspace',
  description: 'Its settings, credits and drafts.',
  params: WorkspacePath,
  answers: { 200: shapes.Workspace },
  errors: ['workspace_not_found'],
  async handle(ctx: OperatorCtx, { params }) {
    return answer(
      200,
      shapes.presentWorkspace(await findAnyWorkspace(ctx.app.database.db, params.workspaceId)),
    );
  },
});

export const updateAnyWorkspace = operatorWriteEndpoint({
  op: 'updateAnyWorkspace',
  call: 'operator.updateWorkspace',
  tag: 'Operator',
  summary: "Change a workspace's plan, name or suspension",
  description: 'Absent leaves alone. The keys of a suspended workspace open nothing.',
  params: WorkspacePath,
  body: shapes.OperatorChanges,
  example: { plan: 'pro' },
  answers: { 200: shapes.Workspace },
  errors: ['workspace_not_found'],
  committed: (ctx) => ctx.app.keyCache.clear(),
  handle: async (tx, ctx, { params, body }) =>
    answer(200, await updateAnyVerb(tx, ctx, { workspaceId: params.workspaceId, changes: body })),
});

export const createAnyApiKey = operatorWriteEndpoint({
  op: 'createAnyApiKey',
  call: 'operator.createApiKey',
  tag: 'Operator',
  summary: 'Create an API key of a workspace',
  description:
    'For a workspace whose last secret was lost; on the server `punchcard keys create` does the same. The secret is shown once.',
  sealed: true,
  params: WorkspacePath,
  body: keyShapes.NewApiKey,
  example: { name: 'Recovered', access: 'full' },
  answers: { 201: keyShapes.ApiKeyWithSecret },
  errors: ['workspace_not_found'],
  handle: async (tx, ctx, { params, body }) =>
    answer(201, await createAnyApiKeyVerb(tx, ctx, { ...body, workspaceId: params.workspaceId })),
});
