import { Type } from 'typebox';
import { FieldValues, HolderChanges, instanceColumns, pushColumns } from '../cards/instance.schema.ts';
import { batchResults } from '../engine/batch-results.ts';
import { Money } from '../kit/http/schemas/money.ts';
import { closed, ExternalRef, Id, Metadata, Moment, nullable, oneOf } from '../kit/http/schemas/shapes.ts';
import { BarcodeText } from '../passes/pass.schema.ts';

const issueColumns = {
  externalRef: Type.Optional(ExternalRef),
  holder: Type.Optional(nullable(HolderChanges)),
  fields: Type.Optional(FieldValues),
  barcode: Type.Optional(nullable(BarcodeText)),
  expiresAt: Type.Optional(nullable(Moment)),
  partnerId: Type.Optional(nullable(Id)),
  metadata: Type.Optional(Metadata),
  value: Type.Optional(Money),
  onExisting: Type.Optional({
    ...oneOf(['update']),
    description:
      'the card that the holder has takes over the details of the holder and the fields that are sent, and nothing else',
  }),
};
export const NewInstance = closed(issueColumns, { $id: 'NewInstance' });
export const ImportedInstance = closed(
  {
    barcode: BarcodeText,
    holder: Type.Optional(nullable(HolderChanges)),
    addressable: Type.Optional(
      Type.Boolean({ description: 'whether a wallet link of ours reaches the card; default false' }),
    ),
    balance: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
    value: Type.Optional(Money),
  },
  { $id: 'ImportedInstance' },
);

/** A card that its holder had already: with the outcome of the push, where it was to be updated. */
export const KnownInstance = closed(
  { ...instanceColumns, ...pushColumns, pushed: Type.Optional(pushColumns.pushed) },
  { $id: 'KnownInstance' },
);

export const BatchResults = batchResults('InstanceResults', 'instance', KnownInstance);
