import { PunchcardError } from '../../sdk/typescript/src/core/punchcard-error.ts';
import type { Instance } from '../../sdk/typescript/src/types.ts';
import { codeOf } from '../shared/api-error.ts';
import { api } from './api.ts';
import { deviceSettings } from './device-settings.ts';
import { readingsIn } from './further-readings.ts';
import { turnCase } from './wedge.ts';

/** What was found: cards, the active ones first. `isShared`: so many carry the code that it names none. */
export interface Found {
  readonly cards: readonly Instance[];
  readonly isShared: boolean;
}

/** The cards that carry a code as it was read; where there are none, the one that all its further readings lead to. */
export async function findByCode(readings: readonly string[]): Promise<Found> {
  const { exact, further } = readingsIn(readings);
  const found = await carriersOf(exact);
  return found.cards.length > 0 || found.isShared ? found : onlyOneOf(further);
}

/** Never another holder's card: readings that lead to several name none. */
async function onlyOneOf(readings: readonly string[]): Promise<Found> {
  const found = await Promise.all(readings.map(carriersOf));
  const { cards } = ofHolders(found);
  const isShared = cards.length > 1 || found.some((each) => each.isShared);
  return { cards: isShared ? [] : cards, isShared };
}

/** The cards that a typed text names: as `findByNumber` finds them, or else those of holders with these words in their name. */
export async function findByText(text: string): Promise<Found> {
  const found = await findByNumber(text);
  if (found.cards.length > 0 || found.isShared || text.includes('@')) return found;
  return ofHolders(await holders({ q: text }));
}

/** The cards that a typed text names as a whole: a code, an address, a telephone number, or a number of the shop's own. */
export async function findByNumber(text: string): Promise<Found> {
  if (text.includes('@')) return ofHolders(await holders({ email: text }));
  const found = await carriersOf(text);
  if (found.cards.length > 0 || found.isShared) return found;
  const [named, called] = await Promise.all([holders({ identifier: text }), calledBy(text)]);
  const held = ofHolders([...named, ...called]);
  return held.cards.length > 0 ? held : onlyOneOf(readingsIn([text, turnCase(text)]).further);
}

/** Those with a telephone number, as typed: the service reads it, with the country of the workspace or the code of the device. */
async function calledBy(text: string) {
  if ((text.match(/\p{Nd}/gu)?.length ?? 0) < 5) return [];
  const found = await holders({ phone: text });
  const { country } = deviceSettings.peek();
  return found.length > 0 || country === '' ? found : holders({ phone: `${country} ${text}` });
}

function ofHolders(found: readonly { readonly cards: readonly Instance[] }[]): Found {
  const all = new Map(found.flatMap(({ cards }) => cards).map((card) => [card.instanceId, card]));
  const isActive = ({ status }: Instance) => status === 'active';
  const cards = [...all.values()];
  return { cards: [...cards.filter(isActive), ...cards.filter((card) => !isActive(card))], isShared: false };
}

async function holders(by: Readonly<Partial<Record<'email' | 'identifier' | 'phone' | 'q', string>>>) {
  try {
    return (await api.holders.list(by).page()).data;
  } catch (error) {
    // A text that is no address or no number belongs to no holder; staff need more letters of a name.
    if (codeOf(error) === 'invalid_request' || codeOf(error) === 'role_required') return [];
    throw error;
  }
}

async function carriersOf(barcode: string): Promise<Found> {
  try {
    return { cards: [await api.instances.lookUp({ barcode })], isShared: false };
  } catch (error) {
    if (isNone(error)) return { cards: [], isShared: false };
    if (codeOf(error) === 'ambiguous_barcode') return amongPasses(barcode);
    throw error;
  }
}

/** Cards of several passes may carry the same code: one of each pass at most, unless all cards of a pass do. */
async function amongPasses(barcode: string): Promise<Found> {
  const passes = await api.passes.list({ limit: 100 }).toArray();
  const cards: Instance[] = [];
  let isShared = false;
  for (const { passId } of passes) {
    try {
      cards.push(await api.instances.lookUp({ barcode, passId }));
    } catch (error) {
      if (codeOf(error) === 'ambiguous_barcode') isShared = true;
      else if (!isNone(error)) throw error;
    }
  }
  return { ...ofHolders([{ cards }]), isShared: isShared && cards.length === 0 };
}

function isNone(error: unknown): boolean {
  return (
    error instanceof PunchcardError &&
    (error.code === 'instance_not_found' || error.code === 'invalid_request')
  );
}
