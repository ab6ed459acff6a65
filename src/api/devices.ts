import { listDeviceRows } from '../access/devices.sql.ts';
import type { KeyCtx, PublicCtx } from '../context.ts';
import { answer, emptyAnswer, endpoint, writeEndpoint } from '../engine/endpoints.ts';
import { pageMade } from '../engine/listing.ts';
import { closed, Id, listOf, listQuery, madeBetween } from '../kit/http/schemas/shapes.ts';
import { createDevice as createDeviceVerb } from '../sign-in/create-device.ts';
import * as shapes from '../sign-in/device.schema.ts';
import * as verbs from '../sign-in/devices.ts';

const tag = 'People';

export const createDevice = writeEndpoint({
  op: 'createDevice',
  call: 'devices.create',
  tag,
  summary: 'Make a shared till',
  description:
    'Its `code` pairs the browser that sends it to POST /devices/pair, once, within 15 minutes. People with a PIN sign in there, as staff of the workspace.',
  sealed: true,
  body: shapes.NewDevice,
  example: { name: 'Till by the door' },
  answers: { 201: shapes.NewlyMadeDevice },
  errors: ['partner_not_found'],
  handle: async (tx, ctx, { body }) => answer(201, await createDeviceVerb(tx, ctx, body)),
});

export const listDevices = endpoint({
  op: 'listDevices',
  call: 'devices.list',
  tag,
  summary: 'List the shared tills',
  description: 'Newest first.',
  query: listQuery(madeBetween),
  answers: { 200: listOf(shapes.Device) },
  async handle(ctx: KeyCtx, { query }) {
    const { db } = ctx.app.database;
    const page = pageMade(ctx, `listDevices/${ctx.workspaceId}`, query);
    const rows = await listDeviceRows(db, ctx.workspaceId, page);
    return answer(200, page.of(rows, 'deviceId', shapes.presentDevice));
  },
});

export const revokeDevice = writeEndpoint({
  op: 'revokeDevice',
  call: 'devices.revoke',
  tag,
  summary: 'Revoke a shared till',
  description: 'Who is signed in at it is signed out within a second.',
  params: closed({ deviceId: Id }),
  answers: { 204: null },
  errors: ['device_not_found'],
  committed: (ctx) => ctx.app.sessionCache.clear(),
  handle: async (tx, ctx, { params }) => emptyAnswer(204, verbs.revokeDevice(tx, ctx, params.deviceId)),
});

export const pairDevice = endpoint({
  op: 'pairDevice',
  tag,
  summary: 'Pair a shared till',
  description: 'The answer sets a cookie, by which the browser is that till until it is revoked.',
  body: shapes.Pairing,
  example: { code: '7KQ4-MX2P' },
  answers: { 201: shapes.PairedDevice },
  errors: ['invalid_link'],
  async handle(ctx: PublicCtx, { body: { code }, headers }) {
    const { body, cookie } = await verbs.pairDevice(ctx, code, headers);
    return answer(201, body, { 'set-cookie': cookie });
  },
});

export const getCurrentDevice = endpoint({
  op: 'getCurrentDevice',
  tag,
  summary: 'Which shared till this is',
  description:
    'With the names of the people who can sign in at it: POST /sessions with `personId` and `pin`.',
  answers: { 200: shapes.PairedDevice },
  errors: ['invalid_session'],
  handle: async (ctx: PublicCtx, { headers }) => answer(200, await verbs.currentDevice(ctx, headers)),
});
