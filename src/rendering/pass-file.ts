import { LRUCache } from 'lru-cache';
import { cardColors } from '../cards/card-colors.ts';
import { barcodeOf, expiryOf } from '../cards/instance.schema.ts';
import { changedAt } from '../cards/last-modified.ts';
import { serialNumberOf } from '../cards/serial-number.ts';
import { keptOutcomes } from '../kit/kept-outcomes.ts';
import { keptWork } from '../kit/promises.ts';
import { wholeSecond } from '../kit/time.ts';
import { wordsIn } from '../locales/languages.ts';
import { drawableFormat } from '../passes/barcode-formats.ts';
import { linkedActions } from '../passes/card-options.ts';
import type { ImageFiles } from '../passes/images/image-files.ts';
import type { AppleCard } from '../wallet/apple/card.ts';
import { defaultIcon } from '../wallet/apple/default-icon.ts';
import { mayServeDevices } from '../wallet/apple/pass-json.ts';
import { buildPkpassChunks, type PassImage } from '../wallet/apple/pkpass.ts';
import type { AppleIssuer } from '../wallet-credentials/apple-issuers.ts';
import { appleDates, appleFields, appleImages, moduleFields, readImage } from './apple-content.ts';
import type { CardRow } from './card.sql.ts';
import type { PassFiles } from './card-files.ts';
import { holdersImages, inOtherLanguages, localeOf, ownLanguageOf } from './card-language.ts';
import { placedImages } from './card-view.ts';
import type { NearestPlaces } from './nearest-places.ts';
import { readerMessage } from './reader-message.ts';
import { stampsOf } from './stamps-drawing.ts';
import { stampsStrip } from './stamps-picture.ts';

/** A pass file in its parts: bytes of its own, and the hash of each stored image, which many pass files share. */
type Part = Uint8Array | string;

interface Options {
  readonly publicUrl: string;
  readonly images: ImageFiles;
  readonly nearestPlaces: NearestPlaces;
}

const cachedBytes = 32 * 1024 * 1024;
const cachedIcons = 500;

/**
 * Builds pass files, and keeps the recent ones without their stored images: concurrent and repeated requests share one
 * signature.
 */
export function createPassFiles({ publicUrl, images: store, nearestPlaces }: Options): PassFiles {
  const files = keptOutcomes<readonly Part[]>(cachedBytes, (parts) =>
    parts.reduce((sum, part) => sum + part.length, 1_000),
  );
  const icons = new LRUCache<string, Promise<PassImage[]>>({ max: cachedIcons });

  async function partsOf(read: CardRow, issuer: AppleIssuer): Promise<readonly Part[]> {
    const card = await nearestPlaces.of(read);
    // Phones would take no image of a language's folder next to one for all: a file has those of its holder's language.
    const pictured = { ...card, images: holdersImages(card) };
    const stored = await appleImages(pictured, store);
    const images = [...(await drawingsOf(pictured)), ...stored.map(({ image }) => image)];
    const others = inOtherLanguages(card).map((other) => ({
      language: other.language,
      card: appleCard(other.card, issuer, publicUrl),
    }));
    const chunks = await buildPkpassChunks(appleCard(card, issuer, publicUrl), images, issuer.signer, {
      own: ownLanguageOf(card),
      others,
    });
    const hashes = new Map<Uint8Array, string>(stored.map(({ hash, image }) => [image.bytes, hash]));
    return chunks.map((chunk) => hashes.get(chunk) ?? chunk);
  }

  /** What is drawn where the pass has no image of its own. */
  async function drawingsOf(card: CardRow): Promise<PassImage[]> {
    const stamps = stampsOf(card, localeOf(card));
    const scene = { stamps, colors: cardColors(card.colors), store };
    const strip =
      stamps === null ? [] : await stampsStrip({ ...scene, stamps }, card.type, placedImages(card).strip);
    return [...(card.images.iconUrl === undefined ? await iconsOf(card) : []), ...strip];
  }

  function iconsOf({ colors }: CardRow): Promise<PassImage[]> {
    return keptWork(icons, `${colors.background} ${colors.foreground}`, () => defaultIcon(colors));
  }

  return {
    async build(card, issuer) {
      const name = `${stateOf(card)}/${issuer.identity.certificate.fingerprint256}`;
      const chunks: Uint8Array[] = [];
      for (const part of await files(name, () => partsOf(card, issuer)))
        chunks.push(typeof part === 'string' ? await readImage(store, part) : part);
      return chunks;
    },
  };
}

function stateOf(card: CardRow): string {
  return `${card.instanceId}/${card.revision}/${card.passRevision}`;
}

function appleCard(card: CardRow, { identity, signer }: AppleIssuer, publicUrl: string): AppleCard {
  const barcode = barcodeOf(card);
  const message = identity.nfc ? readerMessage(card) : null;
  return {
    passTypeIdentifier: signer.passTypeIdentifier,
    teamIdentifier: signer.teamIdentifier,
    organizationName: card.organization,
    serialNumber: serialNumberOf(card),
    authenticationToken: card.authenticationToken,
    webServiceURL: mayServeDevices(publicUrl) ? `${publicUrl}/apple` : null,
    type: card.type,
    hasPoster: placedImages(card).artwork !== undefined,
    title: card.title,
    details: card.details,
    terms: card.terms,
    message: card.message,
    words: wordsIn(localeOf(card)).words.card,
    fields: [...appleFields(card), ...moduleFields(card)],
    colors: card.colors,
    barcode:
      barcode === null
        ? null
        : { format: drawableFormat(card.barcodeFormat, barcode), value: barcode, altText: barcode },
    expiresAt: expiryOf(card),
    voided: card.status === 'voided',
    locations: card.locations.map((location) => ({
      ...location,
      relevantText: location.relevantText ?? null,
    })),
    beacons: card.beacons,
    dates: appleDates(card),
    actions: linkedActions(card.actions),
    options: card.walletOptions,
    nfc:
      message === null || card.nfcPublicKey === null
        ? null
        : { message, publicKey: card.nfcPublicKey, isLocked: card.walletOptions.unlock === true },
    signedAt: wholeSecond(changedAt(card)),
  };
}
