import type { Static } from 'typebox';
import { invalidField } from '../kit/http/api-error.ts';
import type {
  Actions,
  Beacons,
  Modules,
  NewDates,
  OptionChanges,
  StampChanges,
  StampsShown,
} from './card-options.schema.ts';
import { misfitOf, opens, writtenValue } from './field-formats.ts';
import type { PassAction, PassBeacon, PassDate, PassField, PassModule } from './pass-row.ts';
import type { StampLook, WalletOptions } from './wallet-options.ts';

/** Dates as they are kept. Raises `invalid_request` that names what cannot be. */
export function completeDates(dates: Static<typeof NewDates>): PassDate[] {
  return dates.map(({ start, end = null, field }, at) => {
    if ((start === undefined) === (field === undefined))
      throw invalidField(`dates[${at}]`, 'required', 'needs either start or field.');
    if (field !== undefined) {
      if (end !== null) throw invalidField(`dates[${at}].end`, 'excluded', 'goes with start. Leave it out.');
      return { field };
    }
    const from = new Date(start ?? '').toISOString();
    if (end === null) return { start: from };
    const until = new Date(end).toISOString();
    if (until <= from) throw invalidField(`dates[${at}].end`, 'more_than', 'must be after start.');
    return { start: from, end: until };
  });
}

/** Raises `invalid_request` for a date of a field that has none. */
export function checkDates(dates: readonly PassDate[], fields: readonly PassField[]): void {
  dates.forEach((date, at) => {
    if (!('field' in date)) return;
    const field = fields.find(({ key }) => key === date.field);
    if (field?.format !== 'dateTime' && field?.format !== 'relative')
      throw invalidField(
        `dates[${at}].field`,
        'reference',
        'must be the key of a field of this pass with the format dateTime or relative.',
      );
  });
}

/** The same beacon is named once, in one spelling. */
export function completeBeacons(beacons: Static<typeof Beacons>): PassBeacon[] {
  const seen = new Set<string>();
  return beacons.map((beacon, at) => {
    const { uuid, major, minor } = { ...beacon, uuid: beacon.uuid.toUpperCase() };
    if (minor !== undefined && major === undefined)
      throw invalidField(`beacons[${at}].major`, 'required', 'is required with minor.');
    const name = JSON.stringify([uuid, major, minor]);
    if (seen.has(name)) throw invalidField(`beacons[${at}]`, 'unique', 'is named twice. Name it once.');
    seen.add(name);
    return { ...beacon, uuid };
  });
}

/** Raises `invalid_request` for a kind that is there twice, and for what opens nothing. */
export function completeActions(actions: Static<typeof Actions>): PassAction[] {
  return actions.map((action, at) => {
    if (actions.findIndex(({ kind }) => kind === action.kind) < at)
      throw invalidField(`actions[${at}].kind`, 'unique', `"${action.kind}" is used twice. Use it once.`);
    const misfit = misfitOf({ format: formatOf(action) }, action.to);
    if (misfit !== null) throw invalidField(`actions[${at}].to`, 'format', misfit);
    return action;
  });
}

function formatOf({ kind }: Pick<PassAction, 'kind'>): 'phone' | 'link' {
  return kind === 'call' ? 'phone' : 'link';
}

/** The actions of a card with what each of them opens. */
export function linkedActions(actions: readonly PassAction[]) {
  return actions.map(({ kind, title, to }) => ({
    kind,
    title,
    uri: opens({ format: formatOf({ kind }), value: to }) ?? to,
  }));
}

/** Raises `invalid_request` for a header that is there twice, and for what is no https address. */
export function completeModules(modules: Static<typeof Modules>): PassModule[] {
  return modules.map((module, at) => {
    const { header, url } = module;
    if (modules.findIndex((one) => one.header === header) < at)
      throw invalidField(`modules[${at}].header`, 'unique', `"${header}" is used twice. Use it once.`);
    if (!/^https:/i.test(url) || misfitOf({ format: 'link' }, url) !== null)
      throw invalidField(
        `modules[${at}].url`,
        'format',
        'must be an https address such as https://example.com/offers.',
      );
    return module;
  });
}

/** The modules of a card with what each of them opens, and what that is called where there is no body. */
export function linkedModules(modules: readonly PassModule[]) {
  return modules.map(({ header, body = null, url }) => {
    const field = { format: 'link' as const, value: url };
    const address = writtenValue(field, { locale: null, timezone: 'UTC' }) ?? url;
    return { header, body, text: body ?? address, uri: opens(field) ?? url };
  });
}

/** Lays changes over options: absent leaves alone, null leaves it to the wallets. */
export function changeOptions(
  before: WalletOptions,
  changes: Static<typeof OptionChanges> = {},
): WalletOptions {
  const set = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  const after: WalletOptions = Object.fromEntries(set);
  if (after.appUrl !== undefined && after.appStoreIds === undefined)
    throw invalidField('walletOptions.appStoreIds', 'required', 'is required with appUrl.');
  return after;
}

/** Lays changes over the look of stamps: absent leaves alone, null and `plain` are what cards do by themselves. */
export function changeStamps(before: StampLook, changes: Static<typeof StampChanges> = {}): StampLook {
  const set = Object.entries({ ...before, ...changes });
  return Object.fromEntries(set.filter(([, value]) => value !== null && value !== 'plain'));
}

/** The look of stamps as the API shows it. */
export function presentStamps(look: StampLook): Static<typeof StampsShown> {
  return { over: 'plain', icon: null, color: null, markColor: null, ...look };
}
