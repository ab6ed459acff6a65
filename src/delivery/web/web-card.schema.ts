import { Type } from 'typebox';
import { closed, nullable, Timestamp } from '../../kit/http/schemas/shapes.ts';

/** A browser's own name for itself, made by the card's script and kept in the browser. */
export const ViewerId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'a UUID in lower case that the browser made up for this card',
});

/** So many characters of it. */
function base64url(length: number) {
  return Type.String({ pattern: '^[A-Za-z0-9_\\-]+$', minLength: length, maxLength: length });
}

export const Installation = closed(
  {
    viewer: ViewerId,
    installed: Type.Literal(true),
    subscription: Type.Optional(
      closed({
        endpoint: Type.String({
          minLength: 1,
          maxLength: 2_000,
          description: 'where the browser takes pushes (Push API)',
        }),
        keys: Type.Optional(
          closed(
            {
              p256dh: base64url(87),
              auth: base64url(22),
            },
            { description: 'what pushes are encrypted with; without keys they are empty' },
          ),
        ),
      }),
    ),
  },
  { $id: 'Installation' },
);

/** What a web card shows, for its page, its events and its offline copy. */
export const WebCard = closed(
  {
    version: Type.String({ description: 'equal versions show the same' }),
    at: Timestamp,
    language: Type.String(),
    name: Type.String(),
    theme: Type.Record(Type.String(), Type.String()),
    face: Type.String({ description: 'HTML' }),
    about: Type.String({ description: 'HTML' }),
    facts: Type.Record(Type.String(), Type.String()),
    changed: Type.String(),
    changesAt: nullable(Timestamp),
  },
  { $id: 'WebCard' },
);
