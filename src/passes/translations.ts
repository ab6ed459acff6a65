import { invalidField } from '../kit/http/api-error.ts';
import { languageTag } from '../kit/text/language.ts';
import { en } from '../locales/en.ts';
import type { PassField, PassLocation, Translation, Translations } from './pass-row.ts';
import type { PointName, ProgramMode, Tier } from './programs/program-row.ts';

/** The same with what is translated. */
export interface OwnTexts extends Texts {
  readonly translations: Translations;
}

/** What there is to translate of a design. */
interface Texts {
  readonly title: string;
  readonly details: string | null;
  readonly terms: string | null;
  readonly fields: readonly PassField[];
  readonly locations: readonly PassLocation[];
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
  const texts = [...textsOf(design, translation), ...textsOfProgram(program, translation)];
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

function textsOf(design: Texts, { fields = {}, locations = [], ...texts }: Translation): Text[] {
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
    ...design.locations.map(({ relevantText = null }, at) => ({
      path: `locations[${at}]`,
      own: relevantText,
      translated: locations[at] ?? undefined,
    })),
  ];
}

const fieldTexts = ['label', 'value', 'changeMessage'] as const;

/** Values of another format are written by each wallet in the language of its phone. */
function hasTextValue({ format = 'text' }: PassField): boolean {
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

/** A language in the form of BCP 47. Raises `invalid_request` for what wallets take for none. */
export function readLanguage(path: string, text: string): string {
  const tag = languageTag(text);
  if (tag === null || !/^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/.test(tag))
    throw invalidField(path, 'format', 'is no language such as de, pt-BR or zh-Hant.');
  return tag;
}

/** How many languages a design may have besides its own, and how large they may be together as JSON: each process keeps designs in memory. */
const mostTranslations = 20;
const mostCharacters = 100_000;

/**
 * Lays changes over the translations of a design that has changed: a language replaces what it had, null takes it away, and
 * texts of what the design has no longer are dropped. Raises `invalid_request` that names what does not belong.
 */
export function changeTranslations(
  before: OwnTexts,
  after: Texts & { readonly language: string | null },
  changes: Readonly<Record<string, Translation | null>> | undefined,
): Translations {
  const kept = Object.entries(before.translations).map(
    ([language, translation]) => [language, fitted(before, after, translation)] as const,
  );
  const translations = new Map<string, Translation>(kept);
  const named = new Set<string>();
  for (const [name, translation] of Object.entries(changes ?? {})) {
    const path = `translations.${name}`;
    const language = readLanguage(path, name);
    if (named.has(language)) throw invalidField(path, 'unique', `is ${language} once again. Name it once.`);
    named.add(language);
    if (translation === null) translations.delete(language);
    else {
      refuseOrphans(path, after, translation);
      translations.set(language, translation);
    }
  }
  const own = after.language;
  if (own !== null && translations.has(own))
    throw invalidField(
      `translations.${own}`,
      'excluded',
      'is the language of the pass itself: its texts are title, details, terms and fields. Leave it out.',
    );
  if (translations.size > mostTranslations)
    throw invalidField('translations', 'max_items', `must have at most ${mostTranslations} languages.`, {
      limit: mostTranslations,
    });
  const sorted = Object.fromEntries([...translations].sort(([one], [other]) => (one < other ? -1 : 1)));
  if (JSON.stringify(sorted).length > mostCharacters)
    throw invalidField(
      'translations',
      'max_length',
      `must have at most ${mostCharacters} characters together.`,
      { limit: mostCharacters },
    );
  return sorted;
}

/** Names the first text that translates nothing. */
function refuseOrphans(path: string, design: Texts, translation: Translation): void {
  const fields = new Map(design.fields.map((field) => [field.key, field]));
  for (const [key, texts] of Object.entries(translation.fields ?? {})) {
    const field = fields.get(key);
    if (field === undefined)
      throw invalidField(`${path}.fields.${key}`, 'reference', 'is no field of this pass. Leave it out.');
    if (texts.value !== undefined && !hasTextValue(field))
      throw invalidField(
        `${path}.fields.${key}.value`,
        'excluded',
        `has the format "${field.format}", which wallets write in each language. Leave it out.`,
      );
  }
  const orphan = textsOf(design, translation).find(({ own, translated }) => !own && translated !== undefined);
  if (orphan !== undefined)
    throw invalidField(
      `${path}.${orphan.path}`,
      'excluded',
      'translates a text that the pass does not have. Leave it out.',
    );
  const { locations = [] } = translation;
  if (locations.length > design.locations.length)
    throw invalidField(`${path}.locations`, 'max_items', 'has more texts than the pass has locations.', {
      limit: design.locations.length,
    });
}

/** Raises `invalid_request` for titles of tiers that the program does not have. One that is still to be made may have any. */
export function refuseUnknownTiers(
  changes: Readonly<Record<string, Translation | null>> | undefined,
  program: Pick<ProgramOwnTexts, 'tiers'> | undefined,
): void {
  if (program === undefined) return;
  for (const [language, translation] of Object.entries(changes ?? {}))
    for (const key of Object.keys(translation?.program?.tiers ?? {}))
      if (!program.tiers.some((tier) => tier.key === key))
        throw invalidField(
          `translations.${language}.program.tiers.${key}`,
          'reference',
          'is no tier of the program of this pass. Leave it out.',
        );
}

/** A translation without the texts of what a design has no longer, and of places that are others now. */
function fitted(before: Texts, after: Texts, translation: Translation): Translation {
  const { fields = {}, locations = [], title, program, ...prose } = translation;
  const kept = after.fields.flatMap((field) => {
    const { label, value, changeMessage } = fields[field.key] ?? {};
    const texts = {
      ...(field.label !== '' && label !== undefined && { label }),
      ...(field.value && hasTextValue(field) && value !== undefined && { value }),
      ...(field.changeMessage && changeMessage !== undefined && { changeMessage }),
    };
    return Object.keys(texts).length === 0 ? [] : [[field.key, texts] as const];
  });
  const places = after.locations.map(({ relevantText = null }, at) =>
    relevantText !== null && relevantText === before.locations[at]?.relevantText
      ? (locations[at] ?? null)
      : null,
  );
  return {
    ...(title !== undefined && { title }),
    ...(after.details && prose.details !== undefined && { details: prose.details }),
    ...(after.terms && prose.terms !== undefined && { terms: prose.terms }),
    ...(kept.length > 0 && { fields: Object.fromEntries(kept) }),
    ...(places.some((text) => text !== null) && { locations: places }),
    ...(program !== undefined && { program }),
  };
}

/** A design's own texts in the words of a translation that has all of them. */
export function translated<D extends Texts>(design: D, translation: Translation): D {
  const { title, details, terms, fields = {}, locations = [] } = translation;
  return {
    ...design,
    title: title ?? design.title,
    details: details ?? design.details,
    terms: terms ?? design.terms,
    fields: design.fields.map((field) => ({ ...field, ...fields[field.key] })),
    locations: design.locations.map((place, at) => ({
      ...place,
      relevantText: locations[at] ?? place.relevantText ?? null,
    })),
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
