import { en } from '../locales/en.ts';
import type {
  PassAction,
  PassBeacon,
  PassField,
  PassLocation,
  PassModule,
  Translation,
  Translations,
} from './pass-row.ts';
import { mostOnCard } from './places.ts';
import type { PointName, ProgramMode, Tier } from './programs/program-row.ts';

/** The same with what is translated. */
export interface OwnTexts extends Texts {
  readonly translations: Translations;
}

/** What there is to translate of a design. */
export interface Texts {
  readonly title: string;
  readonly details: string | null;
  readonly terms: string | null;
  readonly fields: readonly PassField[];
  readonly locations: readonly PassLocation[];
  /** How many there are besides the first ten, where these alone were read. */
  readonly moreLocations?: number;
  readonly beacons: readonly PassBeacon[];
  readonly actions: readonly PassAction[];
  readonly modules: readonly PassModule[];
}

/** What there is to translate of a program. */
export interface ProgramOwnTexts {
  readonly mode: ProgramMode;
  readonly rewardTitle: string;
  readonly pointName: PointName;
  readonly tiers: readonly Pick<Tier, 'key' | 'title'>[];
}

/** A text, by its path in a translation. */
interface Text {
  readonly path: string;
  /** In the design's own language; null or empty: there is none to translate. */
  readonly own: string | null;
  readonly translated: string | undefined;
}

/** The paths of what a translation lacks: `title`, `fields.tier.label`, `program.rewardTitle`. */
export function missingTexts(
  design: Texts,
  program: ProgramOwnTexts | null,
  translation: Translation,
): string[] {
  // Of a chain's many places one that lacks its text says its own, and keeps no card from being shown in the language.
  const isChain = design.locations.length + (design.moreLocations ?? 0) > mostOnCard;
  const judged = isChain ? { ...design, locations: [] } : design;
  const texts = [...textsOf(judged, translation), ...textsOfProgram(program, translation)];
  return texts
    .filter(({ own, translated = '' }) => hasWords(own) && translated.trim() === '')
    .map(({ path }) => path);
}

/** The languages in which a design and its program have all their texts, besides its own. */
export function completeLanguages(design: OwnTexts, program: ProgramOwnTexts | null): string[] {
  return Object.entries(design.translations).flatMap(([language, translation]) =>
    missingTexts(design, program, translation).length === 0 ? [language] : [],
  );
}

/** Numbers, signs and links are the same in each language. */
function hasWords(text: string | null): boolean {
  const isLink = text !== null && !/\s/.test(text.trim()) && /:\/\/|@|^www\./.test(text.replaceAll('%@', ''));
  return text !== null && !isLink && /\p{L}/u.test(text.replaceAll('%@', ''));
}

/** The texts of a design with what a translation has of each. */
export function textsOf(design: Texts, { fields = {}, actions = {}, ...texts }: Translation): Text[] {
  return [
    ...(['title', 'details', 'terms'] as const).map((name) => ({
      path: name,
      own: design[name],
      translated: texts[name],
    })),
    ...design.fields.flatMap((field) => {
      const own = { ...field, value: hasTextValue(field) ? field.value : null };
      return fieldTexts.map((name) => ({
        path: `fields.${field.key}.${name}`,
        own: own[name],
        translated: fields[field.key]?.[name],
      }));
    }),
    ...placeTexts.flatMap((name) =>
      design[name].map(({ relevantText = null }, at) => ({
        path: `${name}[${at}]`,
        own: relevantText,
        translated: texts[name]?.[at] ?? undefined,
      })),
    ),
    ...design.actions.map(({ kind, title }) => ({
      path: `actions.${kind}`,
      own: title,
      translated: actions[kind],
    })),
    ...design.modules.flatMap((module, at) =>
      moduleTexts.map((name) => ({
        path: `modules[${at}].${name}`,
        own: module[name] ?? null,
        translated: texts.modules?.[at]?.[name],
      })),
    ),
  ];
}

/** Lists of places, whose texts a translation has in their order. */
export const placeTexts = ['locations', 'beacons'] as const;

/** All lists whose texts a translation has in their order. */
export const orderedTexts = [...placeTexts, 'modules'] as const;

const moduleTexts = ['header', 'body'] as const;
const fieldTexts = ['label', 'value', 'changeMessage'] as const;

/** Values of another format are written by each wallet in the language of its phone. */
export function hasTextValue({ format = 'text' }: PassField): boolean {
  return format === 'text';
}

function textsOfProgram(program: ProgramOwnTexts | null, { program: texts = {} }: Translation): Text[] {
  if (program === null) return [];
  const { pointName, tiers } = program;
  return [
    { path: 'program.rewardTitle', own: program.rewardTitle, translated: texts.rewardTitle },
    {
      path: 'program.pointName',
      own: isBegunName(program) ? null : pointName.other,
      translated: texts.pointName?.other,
    },
    ...tiers.map(({ key, title }) => ({
      path: `program.tiers.${key}`,
      own: title,
      translated: texts.tiers?.[key],
    })),
  ];
}

/** Whether the points have the name that a program begins with: cards have it in all languages of theirs. */
export function isBegunName({ mode, pointName }: Pick<ProgramOwnTexts, 'mode' | 'pointName'>): boolean {
  const begun = en.program.nouns[mode];
  return pointName.one === begun.one && pointName.other === begun.other;
}

/** A design's own texts in the words of a translation that has all of them. */
export function translated<D extends Texts>(design: D, translation: Translation): D {
  const {
    title,
    details,
    terms,
    fields = {},
    locations = [],
    beacons = [],
    actions = {},
    modules = [],
  } = translation;
  const inWords = <P extends PassLocation | PassBeacon>(
    places: readonly P[],
    texts: readonly (string | null)[],
  ) => places.map((place, at) => ({ ...place, relevantText: texts[at] ?? place.relevantText ?? null }));
  return {
    ...design,
    title: title ?? design.title,
    details: details ?? design.details,
    terms: terms ?? design.terms,
    fields: design.fields.map((field) => ({ ...field, ...fields[field.key] })),
    locations: inWords(design.locations, locations),
    beacons: inWords(design.beacons, beacons),
    actions: design.actions.map((action) => ({ ...action, title: actions[action.kind] ?? action.title })),
    modules: design.modules.map((module, at) => ({ ...module, ...modules[at] })),
  };
}

/** The same for a program. */
export function translatedProgram<P extends ProgramOwnTexts>(
  program: P,
  { program: texts = {} }: Translation,
): P {
  return {
    ...program,
    rewardTitle: texts.rewardTitle ?? program.rewardTitle,
    pointName: texts.pointName ?? program.pointName,
    tiers: program.tiers.map((tier) => ({ ...tier, title: texts.tiers?.[tier.key] ?? tier.title })),
  };
}
