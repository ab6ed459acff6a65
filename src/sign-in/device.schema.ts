import { Type } from 'typebox';
import type { DeviceRow } from '../access/devices.sql.ts';
import { named } from '../kit/http/schemas/documented.ts';
import { closed, Id, line, nullable, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { MemberRow } from '../people/people.sql.ts';

export const NewDevice = named(
  'NewDevice',
  closed({
    name: line(120, 'what the staff call it'),
    partnerId: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'the partner that all awards and redeems at it are for',
        }),
      ),
    ),
  }),
);

const deviceFields = {
  deviceId: Id,
  name: Type.String(),
  partnerId: nullable(Id),
  paired: Type.Boolean(),
  createdAt: Timestamp,
};

export const Device = closed(deviceFields, { $id: 'Device' });

export const NewlyMadeDevice = named(
  'NewlyMadeDevice',
  closed({
    ...deviceFields,
    code: Type.String({
      description:
        'such as 7KQ4-MX2P: pairs the till, once, within 15 minutes; to be typed, or shown as a QR code',
    }),
  }),
);

export const Pairing = named(
  'Pairing',
  closed({
    code: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'what POST /devices has answered, in any case and spacing',
    }),
  }),
);

export const PairedDevice = named(
  'PairedDevice',
  closed({
    ...deviceFields,
    people: Type.Array(closed({ personId: Id, name: Type.String() }), {
      description: 'the people who can sign in at it: those with a PIN',
    }),
  }),
);

/** A till as the API shows it. */
export function presentDevice(row: DeviceRow) {
  return {
    deviceId: encodeId('device', row.deviceId),
    name: row.name,
    partnerId: row.partnerId === null ? null : encodeId('part', row.partnerId),
    paired: row.secretHash !== null,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The same, with the people who can sign in at it. */
export function presentPaired(row: DeviceRow, people: readonly Pick<MemberRow, 'personId' | 'name'>[]) {
  return {
    ...presentDevice(row),
    people: people
      .toSorted((one, other) => byName.compare(one.name, other.name))
      .map(({ personId, name }) => ({ personId: encodeId('person', personId), name })),
  };
}

/** Sorts names as people do, which not every database does: capitals and accents count last. */
const byName = new Intl.Collator('und');
