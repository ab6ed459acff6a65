import { Type } from 'typebox';
import { batchResults } from '../engine/batch-results.ts';
import { closed, ExternalRef, Id, line, nullable } from '../kit/http/schemas/shapes.ts';
import { FieldChanges, UpdatedInstance } from './instance.schema.ts';

/** Why a card is voided. */
export const Voiding = closed({
  reason: Type.Optional(nullable(line(500, 'shown with the card; erasing the card takes it away'))),
});

/** Items of the batches that change cards. */
export const FieldUpdate = closed(
  { instanceId: Id, fields: FieldChanges, externalRef: Type.Optional(ExternalRef) },
  { $id: 'FieldUpdate' },
);
export const CardVoid = closed({ instanceId: Id, ...Voiding.properties }, { $id: 'CardVoid' });

/** The outcome of each item. */
export const UpdateResults = batchResults('UpdateResults', 'instance', UpdatedInstance);
