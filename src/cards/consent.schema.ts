import { Type } from 'typebox';
import { closed, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import type { ConsentRow } from './consents.sql.ts';

/** What the holder of a card was asked to agree to, and what they answered. */
export const Consent = closed(
  {
    key: Type.String({ description: 'of the consent in `join.consents` of the pass' }),
    text: Type.String({ description: 'word for word as they read it' }),
    agreed: Type.Boolean(),
    createdAt: Timestamp,
  },
  { $id: 'Consent' },
);

/** What lists of cards say besides, where they are asked for it. */
export const CardDetails = closed(
  {
    lastAwardAt: nullable(Timestamp),
    consents: Type.Array(Consent, { description: 'the newest answer to each' }),
  },
  { description: 'in lists that were asked for with `include=details`; else absent' },
);

export function presentConsent({ key, text, agreed, createdAt }: Omit<ConsentRow, 'consentId'>) {
  return { key, text, agreed, createdAt: createdAt.toISOString() };
}
