import { createHash } from 'node:crypto';
import type { PublicCtx } from '../../context.ts';
import { encodeId } from '../../kit/ids.ts';
import type { GoogleCard, GoogleCardType, GoogleDesign, GoogleResource } from '../../wallet/google/card.ts';
import { walletClass } from '../../wallet/google/wallet-class.ts';
import { walletObject } from '../../wallet/google/wallet-object.ts';
import { cardColors } from '../holder/card-colors.ts';
import type { CardRow } from '../holder/read-cards.ts';
import { barcodeOf, expiryOf, fieldValuesOf } from '../instances/instance.schema.ts';
import { drawableFormat } from '../passes/design.ts';
import { classIdOf, objectIdOf } from './resource-id.ts';

/** A card as Google Wallet is told of it. */
export interface ToldCard {
  readonly type: GoogleCardType;
  readonly class: Told;
  readonly object: Told;
}

export interface Told {
  readonly resource: GoogleResource;
  /** SHA-256 of the resource: equal for what needs not be told again. */
  readonly content: Buffer;
}

/** What Google is to know of a card. Throws an Error that names the property when Google would refuse it. */
export function googleCard(ctx: PublicCtx, issuerId: string, card: CardRow): ToldCard {
  const design = designOf(ctx, issuerId, card);
  return {
    type: card.type,
    class: told(walletClass(design, logoUrlOf(ctx, card))),
    object: told(walletObject(holdersCard(ctx, issuerId, card), design)),
  };
}

function told(resource: GoogleResource): Told {
  return { resource, content: createHash('sha256').update(JSON.stringify(resource)).digest() };
}

function designOf({ app }: PublicCtx, issuerId: string, card: CardRow): GoogleDesign {
  const { publicUrl } = app.config;
  return {
    classId: classIdOf(issuerId, card),
    type: card.type,
    organizationName: card.organization,
    title: card.title,
    details: card.details,
    terms: card.terms,
    fields: card.passFields,
    colors: card.colors,
    logoUrl: null,
    locations: card.locations,
    callbackUrl: publicUrl.startsWith('https://') ? `${publicUrl}/google/callback` : null,
    language: card.workspaceLocale,
    showsPoints: false,
  };
}

/** Google keeps a picture as long as its address is the same. */
function logoUrlOf({ app }: PublicCtx, { passId, colors }: CardRow): string {
  const { background, foreground } = cardColors(colors);
  const version = `${background}-${foreground}`.replaceAll('#', '');
  return `${app.config.publicUrl}/passes/${encodeId('pass', passId)}/logo.png?v=${version}`;
}

function holdersCard({ app }: PublicCtx, issuerId: string, card: CardRow): GoogleCard {
  const expiresAt = expiryOf(card);
  const isExpired = expiresAt !== null && expiresAt <= app.now();
  const code = barcodeOf(card);
  return {
    objectId: objectIdOf(issuerId, card),
    state: card.status === 'voided' ? 'voided' : isExpired ? 'expired' : 'active',
    values: fieldValuesOf(card),
    // Nothing of an erased card leads to its holder, and it is of no use any more.
    barcode:
      code === null || card.erasedAt !== null
        ? null
        : { format: drawableFormat(card.barcodeFormat, code), value: code, altText: code },
    expiresAt,
    holderName: card.holder?.name ?? null,
    accountId: card.holder?.identifier ?? null,
    points: null,
  };
}
