import type { Entry, Instance, Pass } from '../../../sdk/typescript/src/types.ts';
import type { CsvValue } from '../../../src/kit/anywhere/csv-text.ts';
import { presentMinor } from '../../../src/kit/money/minor.ts';
import { localTime } from '../../shared/days.ts';
import { kindOf } from '../../shared/entry-kind.ts';
import type { en } from '../../texts/en/cards.ts';

/** In which words and at which hours a file says it. */
interface Notation {
  readonly t: typeof en;
  readonly timeZone: string;
}

type Field = Pick<Pass['fields'][number], 'key' | 'label'>;

/** The headings of a file of cards, which the import knows again: names, then the fields of the pass. */
export function cardHeads(fields: readonly Field[], t: typeof en): string[] {
  return [...t.columns, ...fields.map(({ key, label }) => label || key)];
}

/** A card as a line of a file. */
export function cardRow(card: Instance, fields: readonly Field[], { t, timeZone }: Notation): CsvValue[] {
  const { instanceId, status, holder, barcode, loyalty, wallets, createdAt, details, links } = card;
  const { name, email, phone, identifier } = holder ?? {};
  const at = (moment: string) => localTime(moment, timeZone);
  const consents = details?.consents.map(
    ({ key, agreed, createdAt: answered }) =>
      `${key}: ${agreed ? t.consents.agreed : t.consents.declined}, ${at(answered)}`,
  );
  return [
    instanceId,
    status,
    name,
    email,
    phone,
    identifier,
    barcode,
    loyalty?.amount?.amount ?? loyalty?.balance,
    wallets.apple + wallets.google + wallets.web,
    at(createdAt),
    details?.lastAwardAt && at(details.lastAwardAt),
    links.add,
    consents?.join('; '),
    ...fields.map(({ key }) => card.fields[key]),
  ];
}

/** What names who and where in a file of entries. */
export interface Names extends Notation {
  readonly actorOf: (actor: string) => string;
  readonly deviceOf: (deviceId: string) => string | undefined;
}

/** An entry of the ledger as a line of a file. */
export function entryRow(entry: Entry, { actorOf, deviceOf, t, timeZone }: Names): CsvValue[] {
  const { createdAt, points, balance, amount, holderName, actor, deviceId, orderId, reason } = entry;
  return [
    localTime(createdAt, timeZone),
    kindOf(entry, t),
    amount?.amount ?? points,
    amount === undefined ? balance : presentMinor(balance, amount.currency).amount,
    holderName,
    actorOf(actor),
    deviceId && (deviceOf(deviceId) ?? deviceId),
    orderId,
    reason,
    entry.instanceId,
    actor,
    deviceId,
    entry.partnerId,
    entry.entryId,
  ];
}
