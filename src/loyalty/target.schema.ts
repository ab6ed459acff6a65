import { Type } from 'typebox';
import { Email, Identifier, Phone } from '../cards/instance.schema.ts';
import { invalidAs } from '../kit/http/api-error.ts';
import { exactlyOneOf } from '../kit/http/schemas/documented.ts';
import { Id } from '../kit/http/schemas/shapes.ts';
import { foldCase } from '../kit/text/fold.ts';
import { BarcodeText } from '../passes/pass.schema.ts';
import type { CardTarget } from './lock-targets.ts';

/** What names a card in a body. */
export const targetColumns = {
  identifier: Type.Optional(Identifier),
  instanceId: Type.Optional(Id),
  barcode: Type.Optional(BarcodeText),
  email: Type.Optional(Email),
  phone: Type.Optional(Phone),
};
export const targetNames = Object.keys(targetColumns);

/** A barcode or an identifier may name the pass as well. */
export const passOrItsCard = {
  anyOf: ['passId', 'barcode', 'identifier'].map((name) => ({ required: [name] })),
};

/** Keywords of a body that names one card. */
export const oneCard = { ...exactlyOneOf(...targetNames), ...passOrItsCard };

/** What names a card in a body or query. */
export type Named = {
  readonly identifier?: string | undefined;
  readonly instanceId?: string | undefined;
  readonly barcode?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
};

/** The card that a body of `resolvePass` names; raises `invalid_request` unless it names exactly one. */
export function targetOf(named: Named): CardTarget {
  const target = optionalTargetOf(named);
  if (target === null)
    throw invalidAs('required', `Name the card by one of: ${targetNames.join(', ')}.`, {
      limit: targetNames,
    });
  return target;
}

/** The same; null where it names none. */
export function optionalTargetOf(body: Named): CardTarget | null {
  const { identifier, instanceId, barcode, email, phone } = body;
  const named = [identifier, instanceId, barcode, email, phone].filter((name) => name !== undefined);
  if (named.length > 1)
    throw invalidAs('excluded', `Name the card by only one of: ${targetNames.join(', ')}.`, {
      limit: targetNames,
    });
  if (identifier !== undefined) return { identifier: identifier.normalize('NFC') };
  if (instanceId !== undefined) return { instanceId };
  if (barcode !== undefined) return { barcode: barcode.normalize('NFC') };
  if (email !== undefined) return { email: foldCase(email) };
  if (phone !== undefined) return { phone };
  return null;
}
