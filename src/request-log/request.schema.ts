import { Type } from 'typebox';
import { closed, Id, listQuery, Moment, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { RequestRow } from './request-log.sql.ts';

/** The outcome of a request. */
export const RequestShape = closed(
  {
    requestId: Type.String(),
    method: nullable(Type.String()),
    path: nullable(
      Type.String({
        description:
          'of the operation, with ids in place; what may be secret or personal stays a name in braces. null: there is no such path',
      }),
    ),
    op: nullable(Type.String({ description: 'the name of the operation' })),
    status: Type.Integer({ description: 'of the answer; 499: the client went away before it' }),
    code: nullable(Type.String({ description: 'of the refusal' })),
    message: nullable(Type.String({ description: 'of the refusal, without what names a person' })),
    keyId: nullable(Type.String()),
    passId: nullable(Type.String({ description: 'the pass that path or body name' })),
    instanceId: nullable(
      Type.String({ description: 'the card that path, body or answer name, if it is one' }),
    ),
    createdAt: Timestamp,
    ms: Type.Number({ description: 'from the request to the end of its answer' }),
  },
  { $id: 'Request' },
);

/** `GET /requests?…` */
export const RequestQuery = listQuery({
  status: Type.Optional(Type.String({ pattern: '^[1-5][0-9][0-9]$', description: 'such as 409' })),
  code: Type.Optional(Type.String({ pattern: '^[a-z_]{1,64}$', description: 'such as external_ref_reused' })),
  op: Type.Optional(Type.String({ pattern: '^[A-Za-z]{1,64}$', description: 'such as earnPoints' })),
  keyId: Type.Optional(Id),
  instanceId: Type.Optional(Id),
  createdAfter: Type.Optional(Moment),
  createdBefore: Type.Optional(Moment),
});

/** A request as its workspace is shown it. */
export function presentRequest(row: RequestRow) {
  return {
    requestId: row.requestId,
    method: row.method,
    path: row.path,
    op: row.op,
    status: row.status,
    code: row.code,
    message: row.message,
    keyId: row.actor?.startsWith('key_') === true ? row.actor : null,
    passId: row.passId === null ? null : encodeId('pass', row.passId),
    instanceId: row.instanceId === null ? null : encodeId('inst', row.instanceId),
    createdAt: row.createdAt.toISOString(),
    ms: row.ms,
  };
}
