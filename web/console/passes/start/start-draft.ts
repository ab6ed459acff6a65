import type { NewJoinForm, NewPass } from '../../../../sdk/typescript/src/types.ts';
import { drawnFile, drawnPixels, readPicture } from '../../../shared/canvas.ts';
import { dataUrlOf } from '../../../shared/files.ts';
import { changeMembership } from '../../../shared/session.ts';
import { start } from '../../../texts/start.ts';
import { api } from '../../api.ts';
import { imageShapes } from '../designer/image-shapes.ts';
import { draftOf, joinOf, newConsent } from '../join/join-draft.ts';
import { type Draft, newDraft, newProgramOf, shownOf } from '../program-draft.ts';
import { pictureOf, uploadPicture } from '../templates/draw-template.ts';
import { designOf, type Template, templates, wordsOf } from '../templates/templates.ts';
import { type CardColors, colorsOfLogo, colorsOn } from './card-colors.ts';

export const places = ['coffee', 'salon', 'shop'] as const;
export type Place = (typeof places)[number];

export interface Logo {
  readonly file: Blob;
  readonly dataUrl: string;
  readonly colors: readonly CardColors[];
}

/** What a merchant has said of the first card so far. */
export interface StartDraft {
  readonly place: Place;
  readonly title: string;
  readonly logo: Logo | null;
  readonly colors: CardColors;
  readonly program: Draft;
}

/** What a step is given. */
export interface StepProps {
  readonly draft: StartDraft;
  readonly set: (changes: Partial<StartDraft>) => void;
  readonly goOn: () => void;
}

/** Colours for a card without a template. */
export const plainColors = {
  ink: '#1f2937',
  forest: '#14532d',
  ocean: '#0c4a6e',
  berry: '#701a4b',
  brick: '#8c2f16',
  paper: '#f7f4ec',
} as const;

/** The draft of a page that was just opened. */
export function newStart(): StartDraft {
  return { ...choicesOf('coffee'), logo: null, program: newDraft('STAMPS') };
}

/** What a place begins with. */
export function choicesOf(place: Place): Pick<StartDraft, 'place' | 'title' | 'colors'> {
  const template = templateOf(place);
  if (template === null) return { place, title: start().look.shopTitle, colors: colorsOn(plainColors.ink) };
  const [background, foreground, label] = template.colors;
  return { place, title: wordsOf(template).title, colors: { background, foreground, label } };
}

/** A logo of a chosen file, no larger than cards need it. Null: the file is no picture. `small`: it has too few pixels. */
export async function readLogo(file: Blob): Promise<Logo | 'small' | null> {
  const image = await readPicture(file).catch(() => null);
  if (image === null) return null;
  const { least, mostWidth } = imageShapes.logoUrl;
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width < least.width || height < least.height) return 'small';
  const share = Math.min(1, mostWidth / width);
  const size = { width: Math.round(width * share), height: Math.round(height * share) };
  const drawn = await drawnFile(size, (context) => context.drawImage(image, 0, 0, size.width, size.height));
  return { file: drawn, dataUrl: await dataUrlOf(drawn), colors: colorsOfLogo(pixelsOf(image)) };
}

/** Enough of them to know its colours. */
function pixelsOf(image: HTMLImageElement): Uint8ClampedArray {
  const side = 64;
  return drawnPixels({ width: side, height: side }, (context) => context.drawImage(image, 0, 0, side, side));
}

/** The design as it would be drawn, with what has no upload yet in it. */
export async function drawnDesign(
  draft: StartDraft,
): Promise<NewPass & { program?: ReturnType<typeof shownOf> }> {
  const template = pictured(draft);
  const picture = template === null ? null : await pictureOf(template);
  const program = shownOf(draft.program);
  const { title } = choicesOf(draft.place);
  return {
    ...passOf({ ...draft, title: draft.title.trim() || title }, draft.logo?.dataUrl ?? null, picture),
    ...(program && { program }),
  };
}

/** What of a card that is being opened is there already: a repeat goes on behind it, and nothing of it can be changed. */
export interface Opened {
  passId?: string;
  programId?: string;
}

/**
 * Makes pass and program, publishes, launches and opens the page of enrolment; the id of the pass. Where a call fails, the next
 * one with the same `opened` goes on from there.
 */
export async function openForCustomers(
  draft: StartDraft,
  consent: string | null,
  opened: Opened,
): Promise<string> {
  opened.passId ??= (await api.passes.create(await uploadedDesign(draft))).passId;
  const { passId } = opened;
  opened.programId ??= (await api.programs.create(newProgramOf(passId, draft.program))).programId;
  await api.passes.update(passId, { status: 'published', join: joinFormOf(consent) });
  await api.programs.update(opened.programId, { status: 'active' });
  await brandWorkspace(draft.colors);
  return passId;
}

/** The first card gives the workspace its colours, unless it has some. */
async function brandWorkspace(colors: CardColors): Promise<void> {
  const { defaults } = await api.workspace.get();
  if (defaults.colors?.background != null) return;
  await api.workspace.update({ defaults: { ...defaults, colors } });
  changeMembership({ color: colors.background });
}

async function uploadedDesign(draft: StartDraft): Promise<NewPass> {
  const template = pictured(draft);
  const logo = draft.logo === null ? null : (await api.images.upload(draft.logo.file)).url;
  return passOf(draft, logo, template === null ? null : await uploadPicture(template));
}

/** The form that a pass begins with, and what it asks besides. */
function joinFormOf(consent: string | null): NewJoinForm {
  const consents = consent === null ? [] : [{ ...newConsent([]), text: consent }];
  return joinOf({ ...draftOf(null), consents });
}

function passOf(
  { place, title, colors }: StartDraft,
  logoUrl: string | null,
  picture: string | null,
): NewPass {
  const template = templateOf(place);
  const base: NewPass =
    template === null
      ? { title, type: 'loyalty', barcode: { mode: 'unique', format: 'qr' } }
      : designOf(template, picture);
  return { ...base, title: title.trim(), colors, ...(logoUrl !== null && { logoUrl }) };
}

/** The template whose picture the card has: stamps are drawn in its place. */
function pictured({ place, program: { mode } }: StartDraft): Template | null {
  return mode === 'POINTS' ? templateOf(place) : null;
}

function templateOf(place: Place): Template | null {
  return templates.find(({ id }) => id === place) ?? null;
}
