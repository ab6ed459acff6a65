import { Type } from 'typebox';
import { closed, Id, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { type CardFinding, findingCodes } from './card-finding.ts';

const level = oneOf(['ok', 'warning', 'error']);
const Advice = Type.String({ description: 'what to do about it' });

/** What an operator sees of a card. */
export const Diagnosis = closed(
  {
    instanceId: Id,
    workspaceId: Id,
    findings: Type.Array(closed({ level, what: Type.String(), advice: Type.Optional(Advice) })),
  },
  { $id: 'Diagnosis' },
);

/** What its workspace sees. */
export const InstanceDiagnosis = closed(
  {
    instanceId: Id,
    findings: Type.Array(
      closed({
        level,
        code: {
          ...oneOf(findingCodes),
          description: 'what it is about, for programs; more are added at any time',
        },
        wallet: nullable(oneOf(['apple', 'google', 'web'])),
        at: nullable({ ...Timestamp, description: 'when it happened, or will' }),
        what: Type.String(),
        advice: nullable(Advice),
      }),
    ),
  },
  { $id: 'InstanceDiagnosis' },
);

export function presentFinding({ level, what, advice }: CardFinding) {
  return { level, what, ...(advice !== undefined && { advice }) };
}

export function presentOwnFinding({ level, code, wallet, at, what, advice, own }: CardFinding) {
  return {
    level,
    code,
    wallet: wallet ?? null,
    at: at?.toISOString() ?? null,
    what: own?.what ?? what,
    advice: own?.advice ?? advice ?? null,
  };
}
