import type { Static } from 'typebox';
import type { KeyCtx } from '../../context.ts';
import { invalidField } from '../../kit/http/api-error.ts';
import { requireCurrency } from '../../kit/http/schemas/money.ts';
import { firstId } from '../../kit/ids.ts';
import { keptOutcomes } from '../../kit/kept-outcomes.ts';
import { allEnded } from '../../kit/promises.ts';
import { blankDesign, changeDesign, type Design, designOf } from '../../passes/design.ts';
import { findPass, passNotFound } from '../../passes/find-pass.ts';
import {
  entriesOf,
  type FetchedImages,
  fetchImages,
  holdsPicture,
  type ImageUrls,
  placeOf,
  renderHeld,
  urlsToFetch,
} from '../../passes/images/fetch-images.ts';
import type { ImageFiles } from '../../passes/images/image-files.ts';
import { isUpload } from '../../passes/images/uploads.ts';
import type { PassImages, PassRow } from '../../passes/pass-row.ts';
import { countsOfPass } from '../../passes/passes.sql.ts';
import { withAllPlaces } from '../../passes/places.ts';
import { blankTerms } from '../../passes/programs/program-terms.ts';
import { cardsShowChange } from '../../passes/update-pass.ts';
import { ownWorkspace } from '../../workspaces/own-workspace.ts';
import { cardDrawing } from '../card-drawing.ts';
import { inLanguage, ownLanguageOf } from '../card-language.ts';
import { cardView } from '../card-view.ts';
import { shownColors } from '../page.ts';
import { cardStyle } from '../page-style.ts';
import { type CardRow, readNewCard } from '../read-cards.ts';
import type { DesignedPass, DesignPreview, DesignWarning } from './design.schema.ts';
import { cutWarnings, warningsOf } from './design-warnings.ts';
import { previewSvg } from './draw-preview.ts';
import { dataUri, previewOf, withSampleCode } from './read-preview.ts';

type Drawn = Static<typeof DesignPreview>;
type Warning = Static<typeof DesignWarning>;

/**
 * Draws a design that is not saved yet as both wallets and the web card would show a new card of it, and says what
 * keeping it would change. Writes nothing and fetches nothing: images are uploads, in the call itself, or those that the pass has. Raises
 * `pass_not_found`, `invalid_request` as creating or changing the pass would, and `asset_fetch_failed` for an upload that is
 * not there.
 */
export async function previewDesign(ctx: KeyCtx, input: Static<typeof DesignedPass>): Promise<Drawn> {
  const { passId, program, reader, ...changes } = input;
  const begun = passId === undefined ? await newDesign(ctx, changes) : await ownDesign(ctx, passId);
  const { urls, warnings } = drawableImages(changes, begun.design.images);
  const fetched = await renderedUploads(ctx, urls);
  const design = changeDesign(begun.design, changes, fetched.images);
  const drawn = program === undefined ? begun.card : withProgramOf(begun.card, program, ctx.app.now());
  const row = withSampleCode({ ...drawn, ...shownParts(design) });
  const card = inLanguage(row, reader ?? ownLanguageOf(row));
  const images = overlaid(ctx.app.images, fetched);
  const drawing = { images, now: ctx.app.now() };
  const apple = await previewOf(card, 'apple', drawing);
  return {
    apple: previewSvg(apple),
    google: previewSvg(await previewOf(card, 'google', drawing)),
    web: await webDrawing(ctx, card, images),
    change: begun.pass === null ? null : await changeOf(ctx, begun.pass, design),
    warnings: [...warnings, ...warningsOf(design, row), ...cutWarnings(design, apple)],
  };
}

/** What a design is laid over: the pass that has it, and a card of that pass. */
interface Begun {
  readonly pass: PassRow | null;
  readonly design: Design;
  readonly card: CardRow;
}

async function ownDesign(ctx: KeyCtx, passId: string): Promise<Begun> {
  const { db } = ctx.app.database;
  const pass = await withAllPlaces(db, await findPass(db, ctx, passId));
  const card = await readNewCard(ctx, pass);
  if (card === undefined) throw passNotFound(passId);
  return { pass, design: designOf(pass), card };
}

async function newDesign(ctx: KeyCtx, { title, type }: Static<typeof DesignedPass>): Promise<Begun> {
  if (title === undefined || type === undefined)
    throw invalidField(title === undefined ? 'title' : 'type', 'required', 'is required without a passId.');
  const workspace = await ownWorkspace(ctx.app.database.db, ctx);
  const design = blankDesign(title, type, workspace.defaults);
  const now = ctx.app.now();
  const card: CardRow = {
    ...shownParts(design),
    workspaceId: ctx.workspaceId,
    passId: firstId,
    instanceId: firstId,
    status: 'active',
    message: null,
    ownMessageId: null,
    hasNewsEnded: false,
    barcode: null,
    fields: {},
    expiresAt: null,
    linkSecret: Buffer.alloc(0),
    authenticationToken: '',
    revision: 0,
    modifiedAt: now,
    createdAt: now,
    erasedAt: null,
    passRevision: 1,
    seenPassRevision: 1,
    passModifiedAt: now,
    servedModifiedAt: null,
    servedChangeAt: null,
    organization: workspace.name,
    nfcPublicKey: workspace.nfcPublicKey,
    nfcRedemptionIssuers: workspace.nfcRedemptionIssuers,
    moreLocations: 0,
    home: null,
    ownPassType: workspace.applePassTypeIdentifier,
    ownIssuerId: workspace.googleIssuerId,
    workspaceLocale: workspace.locale,
    timezone: workspace.timezone,
    holder: null,
    program: null,
  };
  return { pass: null, design, card };
}

/** The card with a program as if that were launched, on its way to the reward. Raises `invalid_request` for one without a goal. */
function withProgramOf(
  card: CardRow,
  {
    mode,
    currency,
    reward,
    threshold = null,
    pointName,
    drawsStamps,
  }: NonNullable<Static<typeof DesignedPass>['program']>,
  now: Date,
): CardRow {
  const [name, goal] = {
    STAMPS: ['threshold', threshold] as const,
    POINTS: ['reward.cost', reward?.cost ?? null] as const,
    MONEY: ['currency', currency === undefined ? null : sampleAmount] as const,
  }[mode];
  if (goal === null) throw invalidField(`program.${name}`, 'required', `is required with mode "${mode}".`);
  if (mode !== 'MONEY' && reward === undefined)
    throw invalidField('program.reward', 'required', `is required with mode "${mode}".`);
  if (currency !== undefined) requireCurrency('program.currency', currency);
  const blank = blankTerms(mode, currency ?? '');
  const program = {
    tiers: card.program?.tiers ?? [],
    lifetimePoints: 0,
    mode,
    launchedAt: now.toISOString(),
    currency: blank.currency,
    rewardTitle: reward?.title ?? '',
    rewardCost: mode === 'POINTS' ? goal : null,
    threshold: mode === 'STAMPS' ? goal : null,
    pointName: pointName ?? blank.pointName,
    drawsStamps: drawsStamps ?? blank.drawsStamps,
    balance: Math.floor(goal * 0.4),
    pendingRewards: 0,
    nextExpiry: null,
  };
  return { ...card, program };
}

/** Of which a card in MONEY holds a part in a preview, in the smallest unit. */
const sampleAmount = 10_000;

/** What a card shows of its design. */
function shownParts(design: Design) {
  const { title, type, details, terms, colors, images, locations, barcodeMode, barcodeFormat } = design;
  const { language, translations, beacons, dates, actions, modules, walletOptions, stampLook } = design;
  return {
    ...{ title, type, details, terms, colors, images, locations, barcodeMode, barcodeFormat },
    ...{ language, translations, beacons, dates, actions, modules, walletOptions, stampLook },
    sharedBarcode: design.barcodeValue,
    passFields: design.fields,
    passExpiry: design.expiry,
  };
}

/** The uploads among the images that a design names; the others are those of the pass, or are left out with a warning. */
function drawableImages(
  { translations = {}, ...wanted }: ImageUrls & Pick<Static<typeof DesignedPass>, 'translations'>,
  shown: PassImages,
): { urls: ImageUrls; warnings: Warning[] } {
  const named = entriesOf(urlsToFetch(wanted, translations, {})).filter(
    ([key, url]) => shown[key]?.url !== url,
  );
  const isDrawable = (url: string) => isUpload(url) || holdsPicture(url);
  return {
    urls: Object.fromEntries(named.filter(([, url]) => isDrawable(url))),
    warnings: named
      .filter(([, url]) => !isDrawable(url))
      .map(([key]) => ({
        code: 'image_not_drawn',
        param: placeOf(key).name,
        message: 'A preview fetches nothing from the web: the image is fetched when the design is saved.',
      })),
  };
}

/** A design is drawn anew with each letter that is typed into it: what was made of its uploads is kept for the next. */
const rendered = keptOutcomes<FetchedImages>(64 * 1024 * 1024, ({ files }) =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 500),
);

async function renderedUploads(ctx: KeyCtx, urls: ImageUrls): Promise<FetchedImages> {
  const made = await allEnded(
    entriesOf(urls).map(([key, url]) =>
      rendered(`${ctx.workspaceId} ${key} ${url}`, () =>
        holdsPicture(url) ? renderHeld(key, url) : fetchImages(ctx, { [key]: url }),
      ),
    ),
  );
  return {
    images: Object.assign({}, ...made.map(({ images }) => images)),
    files: made.flatMap(({ files }) => files),
  };
}

/** The store with the files of uploads, which no pass shows yet. */
function overlaid(store: ImageFiles, { files }: FetchedImages): ImageFiles {
  const own = new Map(files.map(({ hash, bytes }) => [hash, bytes]));
  return { read: async (hash) => own.get(hash) ?? (await store.read(hash)) };
}

async function webDrawing(ctx: KeyCtx, card: CardRow, store: ImageFiles): Promise<Drawn['web']> {
  const view = cardView(ctx, card);
  const shown = Object.values(view.images).flatMap((image) => image ?? []);
  const addresses = new Map<string, string>();
  for (const { hash } of shown) {
    const bytes = await store.read(hash);
    if (bytes !== undefined) addresses.set(hash, dataUri('png', bytes));
  }
  const { text } = cardDrawing(view, ({ hash }) => addresses.get(hash) ?? '');
  return { html: text, css: cardStyle(shownColors(view), '') };
}

/** A change is pushed to the installed cards, at a credit each. */
async function changeOf(ctx: KeyCtx, pass: PassRow, design: Design): Promise<Drawn['change']> {
  if (!cardsShowChange(pass, design)) return { cards: 0, credits: 0 };
  const counts = await countsOfPass(ctx.app.database.db, pass);
  return { cards: counts.issued - counts.voided, credits: counts.installed };
}
