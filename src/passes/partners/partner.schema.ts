import { Type } from 'typebox';
import { inNfc, named } from '../../kit/http/schemas/documented.ts';
import { closed, Id, line, Metadata, nullable, partial, Timestamp } from '../../kit/http/schemas/shapes.ts';
import { encodeId } from '../../kit/ids.ts';
import { degrees } from '../text.schema.ts';
import type { PartnerRow } from './partners.sql.ts';

export const PartnerExternalId = inNfc(
  line(255, "the partner's number in your own system; no other partner of the workspace has it"),
);

const settings = {
  name: line(200),
  externalId: nullable(PartnerExternalId),
  location: nullable(
    closed(degrees, {
      description: 'where it is: cards issued at it have the ten places of their pass that are nearest to it',
    }),
  ),
  metadata: Metadata,
};

export const NewPartner = named(
  'NewPartner',
  closed({
    name: settings.name,
    externalId: Type.Optional(settings.externalId),
    location: Type.Optional(settings.location),
    metadata: Type.Optional(settings.metadata),
  }),
);

export const PartnerChanges = named('PartnerChanges', partial(settings));

export const Partner = closed(
  { partnerId: Id, ...settings, createdAt: Timestamp, updatedAt: Timestamp },
  { $id: 'Partner' },
);

/** A partner as the API shows it. */
export function presentPartner(row: PartnerRow) {
  return {
    partnerId: encodeId('part', row.partnerId),
    name: row.name,
    externalId: row.externalId,
    location: row.location && { ...row.location },
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
