import { Type } from 'typebox';
import { freelyNamed } from '../kit/http/schemas/documented.ts';
import { closed, Id, listQuery, Moment, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { AuditLine } from './audit-lines.sql.ts';

/** Who changed what. */
export const AuditLineShape = closed(
  {
    auditId: Id,
    action: Type.String({ description: 'the name of the operation, or of the background work' }),
    actor: Type.String({
      description:
        'who did it: the id of a key, a person or a store, `operator`, or `anyone` who is not signed in',
    }),
    target: Type.String({ description: 'the id of what was changed' }),
    detail: freelyNamed(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'what was changed; `before` and `after` have the values that matter',
      }),
    ),
    requestId: Type.String(),
    createdAt: Timestamp,
  },
  { $id: 'AuditLine' },
);

/** `GET /audit?…` */
export const AuditQuery = listQuery({
  actor: Type.Optional(Id),
  action: Type.Optional(Type.String({ pattern: '^[A-Za-z]{1,64}$', description: 'such as earnPoints' })),
  target: Type.Optional(Id),
  createdAfter: Type.Optional(Moment),
  createdBefore: Type.Optional(Moment),
});

/** A line as its workspace is shown it. */
export function presentLine({ auditId, createdAt, ...line }: AuditLine) {
  return { auditId: encodeId('audit', auditId), ...line, createdAt: createdAt.toISOString() };
}
