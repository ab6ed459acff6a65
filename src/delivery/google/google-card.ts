import { createHash } from 'node:crypto';
import { cardColors } from '../../cards/card-colors.ts';
import { barcodeOf, expiryOf, hasExpired } from '../../cards/instance.schema.ts';
import type { PublicCtx } from '../../context.ts';
import type { CardKey } from '../../engine/card-key.ts';
import { decodeScopedId, encodeScopedId } from '../../kit/crypto/tokens.ts';
import { encodeId } from '../../kit/ids.ts';
import { digitsOf } from '../../kit/money/digits.ts';
import { wordsIn } from '../../locales/languages.ts';
import { drawableFormat } from '../../passes/barcode-formats.ts';
import { linkedActions, linkedModules } from '../../passes/card-options.ts';
import { imageUrl } from '../../passes/images/image.schema.ts';
import type { PassField, PassImage, PassKey } from '../../passes/pass-row.ts';
import { holdersImages, inOtherLanguages, localeOf, ownLanguageOf } from '../../rendering/card-language.ts';
import { heroOf, placedImages, type WrittenField, writtenFieldsOf } from '../../rendering/card-view.ts';
import { BALANCE_KEY } from '../../rendering/program-fields.ts';
import type { CardRow } from '../../rendering/read-cards.ts';
import { readerMessage } from '../../rendering/reader-message.ts';
import { stampsOf } from '../../rendering/stamps-drawing.ts';
import type {
  GoogleCard,
  GoogleCardType,
  GoogleDesign,
  GooglePicture,
  GoogleResource,
} from '../../wallet/google/card.ts';
import { hasPoints } from '../../wallet/google/card-layout.ts';
import { inLanguages } from '../../wallet/google/translated.ts';
import { walletClass } from '../../wallet/google/wallet-class.ts';
import { walletObject } from '../../wallet/google/wallet-object.ts';

/** A card as it is sent to Google Wallet. */
export interface HashedCard {
  readonly type: GoogleCardType;
  readonly class: HashedResource;
  readonly object: HashedResource;
}

export interface HashedResource {
  readonly resource: GoogleResource;
  /** SHA-256 of the resource: equal for what need not be sent again. */
  readonly content: Buffer;
}

/** What Google is to know of a card. Throws an Error that names the property when Google would refuse it. */
export function googleCard(ctx: PublicCtx, issuerId: string, card: CardRow): HashedCard {
  const language = ownLanguageOf(card);
  const others = inOtherLanguages(card).map((other) => ({
    language: other.language,
    ...resourcesOf(ctx, issuerId, other.card, true),
  }));
  const own = resourcesOf(ctx, issuerId, card, others.length > 0);
  const inAll = (kind: 'class' | 'object') =>
    inLanguages(
      own[kind],
      language,
      others.map((other) => ({ language: other.language, value: other[kind] })),
    );
  return { type: card.type, class: hashedClass(inAll('class')), object: hashed(inAll('object')) };
}

/** In one language, of several or not. */
function resourcesOf(ctx: PublicCtx, issuerId: string, card: CardRow, isTranslated: boolean) {
  // The class is that of all cards: nothing in it is of one holder's region.
  const design = designOf(ctx, issuerId, card, writtenFieldsOf({ ...card, holder: null }));
  return {
    class: walletClass(design, drawnLogo(ctx, card)),
    object: walletObject(holdersCard(ctx, issuerId, card, isTranslated), design),
  };
}

function hashed(resource: GoogleResource): HashedResource {
  return { resource, content: contentOf(resource) };
}

/** Google knows classes that were sent before there were heroes: one without is what it was. */
function hashedClass(resource: GoogleResource): HashedResource {
  const { heroImage, ...others } = resource;
  return { resource, content: contentOf(heroImage === null ? others : resource) };
}

/** Google knows what was sent before there were translations and these members as well: without any it is what it was. */
function contentOf(resource: object): Buffer {
  const text = JSON.stringify(resource, (name, value: unknown) =>
    value === null && (name.startsWith('localized') || laterMembers.has(name)) ? undefined : value,
  );
  return createHash('sha256').update(text).digest();
}

const laterMembers: ReadonlySet<string> = new Set([
  'linksModuleData',
  'valueAddedModuleData',
  'appLinkData',
  'dateTime',
  'groupingInfo',
  'passConstraints',
  'disableExpirationNotification',
  'notifications',
  'genericType',
  'viewUnlockRequirement',
  'securityAnimation',
  'merchantLocations',
  'enableSmartTap',
  'redemptionIssuers',
  'smartTapRedemptionValue',
  'balance',
]);

/** The fields of a program are there for all cards of the pass, with a value or without: they share the class. */
function designOf(
  { app }: PublicCtx,
  issuerId: string,
  card: CardRow,
  fields: readonly WrittenField[],
): GoogleDesign {
  const { publicUrl } = app.config;
  const { logo, hero } = placedImages(card);
  // Where stamps are drawn, on it or not, each card has a hero of its own.
  const heroUrl = stampsOf(card) === null ? urlOf(publicUrl, hero, 'google-hero.png') : null;
  const design: GoogleDesign = {
    classId: classIdOf(issuerId, card),
    type: card.type,
    organizationName: card.organization,
    title: card.title,
    details: card.details,
    terms: card.terms,
    fields,
    colors: card.colors,
    logoUrl: urlOf(publicUrl, logo, 'google-logo.png'),
    hero: heroUrl === null ? null : { url: heroUrl, description: card.title },
    locations: card.moreLocations > 0 ? [] : card.locations,
    date: card.dates.find((date) => 'start' in date) ?? null,
    actions: linkedActions(card.actions),
    modules: linkedModules(card.modules),
    options: card.walletOptions,
    redemptionIssuers: card.walletOptions.nfc === undefined ? [] : card.nfcRedemptionIssuers,
    callbackUrl: publicUrl.startsWith('https://') ? `${publicUrl}/google/callback` : null,
    language: ownLanguageOf(card),
    words: wordsIn(ownLanguageOf(card)).words.card,
    hasNewsEnded: card.hasNewsEnded,
    showsPoints: fields.some(({ key }) => key === BALANCE_KEY),
  };
  // Where Google has a place of its own for the balance, it is not shown again among the texts.
  return hasPoints(design) ? { ...design, fields: fields.filter(({ key }) => key !== BALANCE_KEY) } : design;
}

/** Google keeps a picture as long as its address is the same: that of an image names its content. */
function urlOf(publicUrl: string, image: PassImage | undefined, name: string): string | null {
  const file = image?.files[name];
  return file === undefined ? null : imageUrl(publicUrl, file);
}

/** Replaces the logo of a pass that has none. */
function drawnLogo(ctx: PublicCtx, card: CardRow): string {
  return pictureUrl(ctx, card, 'logo.png');
}

function stampsOn(ctx: PublicCtx, card: CardRow, description: string): GooglePicture | null {
  const stamps = stampsOf(card, localeOf(card));
  if (stamps === null) return null;
  const url = pictureUrl(ctx, card, `stamps/${stamps.filled}-${stamps.threshold}.png`) + lookVersion(card);
  return { url: stamps.fromRight ? `${url}&from=right` : url, description };
}

/** Makes the address another one with another look of the stamps, or another image behind them. */
function lookVersion({ stampLook, images }: CardRow): string {
  if (Object.keys(stampLook).length === 0) return '';
  const image = stampLook.over === 'image' ? heroOf(images)?.files['google-hero.png']?.hash : undefined;
  const { over, icon, color, markColor } = stampLook;
  const look = JSON.stringify([over, icon, color, markColor, image]);
  return `-${createHash('sha256').update(look).digest('hex').slice(0, 16)}`;
}

function pictureUrl({ app }: PublicCtx, { passId, colors }: CardRow, name: string): string {
  const { background, foreground } = cardColors(colors);
  const version = `${background}-${foreground}`.replaceAll('#', '');
  return `${app.config.publicUrl}/passes/${encodeId('pass', passId)}/${name}?v=${version}`;
}

function holdersCard(ctx: PublicCtx, issuerId: string, card: CardRow, isTranslated: boolean): GoogleCard {
  const fields = writtenFieldsOf(card);
  const expiresAt = expiryOf(card);
  const isExpired = hasExpired(expiresAt, ctx.app.now());
  const code = barcodeOf(card);
  const balance = fields.find(({ key }) => key === BALANCE_KEY);
  return {
    objectId: objectIdOf(issuerId, card),
    state: card.status === 'voided' ? 'voided' : isExpired ? 'expired' : 'active',
    values: Object.fromEntries(fields.map(({ key, value }) => [key, value])),
    uris: Object.fromEntries(fields.map(({ key, uri }) => [key, uri])),
    // Nothing of an erased card leads to its holder, and it is no longer usable.
    barcode:
      code === null || card.erasedAt !== null
        ? null
        : { format: drawableFormat(card.barcodeFormat, code), value: code, altText: code },
    expiresAt,
    hasNewsEnded: card.ownMessageId !== null && card.message === null,
    locations: card.moreLocations > 0 ? card.locations : null,
    holderName: card.holder?.name ?? null,
    accountId: card.holder?.identifier ?? null,
    readerMessage: card.nfcRedemptionIssuers.length === 0 ? null : readerMessage(card),
    points:
      balance === undefined
        ? null
        : { label: balance.label, balance: balanceText(card, balance, isTranslated) },
    money: balance === undefined ? null : moneyOf(card),
    hero:
      (balance && stampsOn(ctx, card, `${balance.label}: ${balance.value ?? ''}`)) ??
      heroInLanguage(ctx, card),
  };
}

/** What the card holds, where its program is in MONEY. */
function moneyOf({ program }: CardRow): GoogleCard['money'] {
  if (program === null || program.currency === null) return null;
  const { balance, currency } = program;
  return { micros: String(BigInt(balance) * 10n ** BigInt(6 - digitsOf(currency))), currencyCode: currency };
}

/** The picture in the language of the holder, where it is not that of all. */
function heroInLanguage({ app }: PublicCtx, card: CardRow): GooglePicture | null {
  const { hero } = placedImages({ ...card, images: holdersImages(card) });
  if (hero === placedImages(card).hero) return null;
  const url = urlOf(app.config.publicUrl, hero, 'google-hero.png');
  return url === null ? null : { url, description: card.title };
}

/** Google shows one text to all phones: of a card in several languages it is one without words. */
function balanceText({ program }: CardRow, { value }: PassField, isTranslated: boolean): string {
  return isTranslated && program?.mode === 'STAMPS'
    ? `${program.balance}/${program.threshold}`
    : (value ?? '');
}

/** The id of a pass's class: the issuer, a dot, and a suffix that carries the workspace. */
export function classIdOf(issuerId: string, pass: PassKey): string {
  return `${issuerId}.${encodeScopedId({ scope: pass.workspaceId, id: pass.passId })}`;
}

/** The id of a card's object. It carries the workspace, so that a call-back finds its card with one look-up. */
export function objectIdOf(issuerId: string, { workspaceId, instanceId }: CardKey): string {
  return `${issuerId}.${encodeScopedId({ scope: workspaceId, id: instanceId })}`;
}

/** The card that an object's id names; null when it belongs to another issuer, or to no card. */
export function readObjectId(issuerId: string, objectId: string): CardKey | null {
  if (!objectId.startsWith(`${issuerId}.`)) return null;
  const named = decodeScopedId(objectId.slice(issuerId.length + 1));
  return named && { workspaceId: named.scope, instanceId: named.id };
}
