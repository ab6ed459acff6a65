import { Type } from 'typebox';
import { line, prose } from '../kit/http/schemas/shapes.ts';
import { labelPattern } from '../kit/http/schemas/text-patterns.ts';

/** As many places as a pass may have. */
export const mostPlaces = 1_000;

/** A point on Earth. */
export const degrees = {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
};

/** The texts of a card, in its own language and in others. */
export const cardText = {
  title: line(120),
  details: prose(5_000),
  terms: prose(5_000),
  label: Type.String({ maxLength: 120, pattern: labelPattern }),
  /** Of a field. */
  value: Type.String({ maxLength: 1_000 }),
  changeMessage: Type.String({ maxLength: 200 }),
  /** What the lock screen says at a place. */
  relevantText: line(200),
  actionTitle: line(30),
  moduleHeader: line(60),
  moduleBody: line(50),
  rewardTitle: line(120),
  pointName: { one: line(40), other: line(40) },
  tierTitle: line(60),
};
