import {
  type AccountLine,
  accountHash,
  type EntryLine,
  hasLostText,
  knownFormats,
  type LedgerLine,
  noHash,
  type SealedAccount,
  type SealedEntry,
  type SealLine,
  sealHash,
  sealsFormat,
} from './seal-bytes.ts';

/** The first thing in an export that cannot be: what, and in which line. */
export class SealBroken extends Error {}

/** A ledger whose seals are right. */
export interface VerifiedLedger {
  readonly workspaceId: string;
  readonly seals: number;
  readonly entries: number;
  /** Entries that share a hash with one whose reason or externalRef was erased after it had been hashed: they are taken as they are. */
  readonly unproven: number;
  /** The hash of the newest seal. */
  readonly head: string;
  /** Whether the hash that was asked for is one of its seals. */
  readonly hasHead: boolean;
}

/** What is known of a ledger while its lines are read. */
interface Ledger extends VerifiedLedger {
  /** Account → how far it is sealed. */
  readonly sealed: Map<string, Omit<SealedAccount, 'accountId'>>;
  /** What the next seal has to cover. */
  readonly covered: SealedAccount[];
  readonly coveredEntries: number;
}

/** The account whose entries are being read. */
interface OpenAccount {
  readonly line: AccountLine;
  readonly at: number;
  readonly entries: SealedEntry[];
}

/**
 * Makes every hash of an export again, from its entries alone. Raises `SealBroken` for the first that differs, and for
 * what is missing, moved or cut off. It keeps a hash of each account in memory, and nothing else.
 */
export async function* verifySeals(
  lines: AsyncIterable<string> | Iterable<string>,
  head: string | null,
): AsyncGenerator<VerifiedLedger> {
  let ledger: Ledger | null = null;
  let open: OpenAccount | null = null;
  let at = 0;
  for await (const text of lines) {
    at += 1;
    const line = parse(text, at);
    if (line.type === 'ledger') {
      if (ledger !== null) throw broken(at, 'cut off: the ledger before this line has no end');
      ledger = beginLedger(line, at);
      continue;
    }
    if (ledger === null) throw broken(at, 'not an export: it does not begin with a ledger');
    if (line.type === 'entry') {
      if (open === null)
        throw broken(at, `extra entry: ${nameOf(line)} belongs to no account that is sealed here`);
      open.entries.push(line);
      continue;
    }
    if (open !== null) ledger = closeAccount(ledger, open);
    open = line.type === 'account' ? openAccount(ledger, line, at) : null;
    if (line.type === 'seal') ledger = closeSeal(ledger, line, at, head);
    if (line.type === 'end') {
      endLedger(ledger, line, at);
      yield ledger;
      ledger = null;
    }
  }
  if (at === 0) throw new SealBroken('not an export: the file is empty');
  if (ledger !== null) throw broken(at, 'cut off: the file ends before its ledger does');
}

function parse(text: string, at: number): LedgerLine {
  try {
    const line: LedgerLine = JSON.parse(text);
    if (['ledger', 'account', 'entry', 'seal', 'end'].includes(line.type)) return line;
  } catch {
    // Named below.
  }
  throw broken(at, 'not an export: this is no line of one');
}

function beginLedger({ format, workspaceId }: LedgerLine & { type: 'ledger' }, at: number): Ledger {
  if (!knownFormats.includes(format)) throw broken(at, `unknown format: ${format} instead of ${sealsFormat}`);
  return {
    workspaceId,
    seals: 0,
    entries: 0,
    unproven: 0,
    head: noHash,
    hasHead: false,
    sealed: new Map(),
    covered: [],
    coveredEntries: 0,
  };
}

function openAccount({ covered }: Ledger, line: AccountLine, at: number): OpenAccount {
  const last = covered.at(-1);
  if (last !== undefined && last.accountId >= line.accountId)
    throw broken(at, `reordered: account ${line.accountId} stands behind account ${last.accountId}`);
  return { line, at, entries: [] };
}

/** All entries of the account that the seal adds are there. */
function closeAccount(ledger: Ledger, { line, at, entries }: OpenAccount): Ledger {
  const { accountId, seq, hash } = line;
  const before = ledger.sealed.get(accountId) ?? { seq: 0, hash: noHash };
  checkOrder(before.seq, { line, at, entries });
  checkChain(at, entries);
  const made = accountHash(before.hash, entries);
  if (made !== hash && !entries.some(hasLostText)) {
    const which = entries.length === 1 ? `entry ${seq}` : `one of the entries ${before.seq + 1} to ${seq}`;
    throw broken(at, `changed entry: ${which} of account ${accountId} is not as it was sealed`);
  }
  ledger.sealed.set(accountId, { seq, hash });
  ledger.covered.push({ accountId, seq, hash });
  return {
    ...ledger,
    coveredEntries: ledger.coveredEntries + entries.length,
    unproven: ledger.unproven + (made === hash ? 0 : entries.length),
  };
}

function checkOrder(after: number, { line, at, entries }: OpenAccount): void {
  const there = new Set(entries.map(({ seq }) => Number(seq)));
  for (let seq = after + 1; seq <= line.seq; seq++) {
    if (!there.has(seq)) throw broken(at, `missing entry: number ${seq} of account ${line.accountId}`);
  }
  for (const [place, entry] of entries.entries()) {
    const found = at + 1 + place;
    if (entry.accountId !== line.accountId || Number(entry.seq) <= after || Number(entry.seq) > line.seq)
      throw broken(found, `extra entry: ${nameOf(entry)} does not belong here`);
    if (Number(entry.seq) < after + 1 + place)
      throw broken(found, `extra entry: ${nameOf(entry)} is there twice, or reordered`);
    if (Number(entry.seq) > after + 1 + place)
      throw broken(found, `reordered: ${nameOf(entry)} stands before entry ${after + 1 + place}`);
  }
}

/** Each balance is the one before and the points. The hash tells as well, but not which entry it was. */
function checkChain(at: number, entries: readonly SealedEntry[]): void {
  for (const [place, entry] of entries.entries()) {
    const [balance, points] = [numberOf(entry.balance), numberOf(entry.points)];
    const previous = place === 0 ? null : numberOf(entries[place - 1]?.balance ?? null);
    const first = entry.seq === '1' ? 0n : null;
    const before = previous ?? first;
    if (before !== null && (balance === null || points === null || before + points !== balance)) {
      throw broken(
        at + 1 + place,
        `changed entry: ${nameOf(entry)} does not continue the entry before it (${before} and ${entry.points} is not ${entry.balance})`,
      );
    }
  }
}

function closeSeal(ledger: Ledger, line: SealLine, at: number, head: string | null): Ledger {
  const { workspaceId, covered, coveredEntries } = ledger;
  const seal = ledger.seals + 1;
  if (line.seal > seal) throw broken(at, `missing seal: ${seal} stands nowhere before seal ${line.seal}`);
  if (line.seal < seal) throw broken(at, `reordered: seal ${line.seal} stands behind seal ${ledger.seals}`);
  if (line.entries !== coveredEntries)
    throw broken(at, `forged seal: ${seal} counts ${line.entries} entries and covers ${coveredEntries}`);
  const contents = { workspaceId, seal, sealedAt: line.sealedAt, entries: line.entries, accounts: covered };
  if (sealHash(ledger.head, contents) !== line.hash)
    throw broken(
      at,
      `forged seal: the hash of seal ${seal} is not that of what it covers and the seal before it`,
    );
  return {
    ...ledger,
    seals: seal,
    entries: ledger.entries + coveredEntries,
    head: line.hash,
    hasHead: ledger.hasHead || line.hash === head,
    covered: [],
    coveredEntries: 0,
  };
}

function endLedger(ledger: Ledger, line: LedgerLine & { type: 'end' }, at: number): void {
  if (ledger.covered.length > 0) throw broken(at, 'missing seal: the accounts before the end have none');
  if (line.seals !== ledger.seals || line.head !== ledger.head)
    throw broken(at, `missing seal: the end names seal ${line.seals}, and ${ledger.seals} is the last one`);
}

function nameOf({ accountId, seq }: Pick<EntryLine, 'accountId' | 'seq'>): string {
  return `entry ${seq} of account ${accountId}`;
}

function numberOf(text: string | null): bigint | null {
  return text !== null && /^-?\d+$/.test(text) ? BigInt(text) : null;
}

function broken(at: number, what: string): SealBroken {
  return new SealBroken(`line ${at}: ${what}`);
}
