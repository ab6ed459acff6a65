import { Type } from 'typebox';
import { closed, Timestamp } from '../kit/http/schemas/shapes.ts';
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

export function presentConsent({ key, text, agreed, createdAt }: Omit<ConsentRow, 'consentId'>) {
  return { key, text, agreed, createdAt: createdAt.toISOString() };
}
