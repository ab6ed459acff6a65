import { isJsonObject, readJson } from '../validator/json-reader.ts';
import type { PhoneReply } from './phone-network.ts';

/** What a phone complains about: most of it iOS itself reports to the service's log. */
export type ComplaintKind =
  | 'tag-missing'
  | 'tag-not-a-string'
  | 'tag-unchanged'
  | 'empty-list'
  | 'list-unreadable'
  | 'spurious-push'
  | 'too-many-pushes'
  | 'serial-unregistered'
  | 'pass-unchanged'
  | 'if-modified-since-ignored'
  | 'last-modified-missing'
  | 'pass-invalid'
  | 'serial-changed'
  | 'token-changed'
  | 'content-type'
  | 'body-unexpected'
  | 'status-unexpected';

/** Something wrong with an answer, in plain words. */
export interface Fault {
  readonly kind: ComplaintKind;
  readonly text: string;
}

/** The answer to "what changed?". */
export interface Listing {
  /** null when the answer is no list. */
  readonly serialNumbers: readonly string[] | null;
  /** The new tag; null when there is none that can be used. */
  readonly tag: string | null;
  readonly faults: readonly Fault[];
}

/** Reads the list of changed serial numbers that was asked for with this tag. Apple, PassKit Web Service. */
export function readListing(reply: PhoneReply, sentTag: string | null): Listing {
  if (reply.status === 204) return { serialNumbers: [], tag: null, faults: bodyFaults(reply) };
  if (reply.status !== 200) return noList(statusFault('the list of changes', reply, '200 or 204'));
  const typeFaults = contentTypeFaults('the list of changes', reply, 'application/json');
  const { value } = readJson(reply.body);
  const serialNumbers = isJsonObject(value) ? value.serialNumbers : null;
  if (!isJsonObject(value) || !Array.isArray(serialNumbers) || !serialNumbers.every(isText)) {
    const text = 'the list of changes is no JSON object with an array of serialNumbers';
    return noList(...typeFaults, { kind: 'list-unreadable', text });
  }
  if (serialNumbers.length === 0) {
    const text = 'the list of changes came with 200 and no serial number; 204 says that nothing changed';
    return { serialNumbers: [], tag: null, faults: [...typeFaults, { kind: 'empty-list', text }] };
  }
  const { lastUpdated } = value;
  return {
    serialNumbers,
    tag: isText(lastUpdated) ? lastUpdated : null,
    faults: [...typeFaults, ...tagFaults(lastUpdated, serialNumbers.length, sentTag)],
  };
}

/** A status that the protocol does not have here. */
export function statusFault(what: string, { status }: PhoneReply, expected: string): Fault {
  return { kind: 'status-unexpected', text: `${what} was answered with ${status}; expected was ${expected}` };
}

/** Media types are compared without their parameters. */
export function contentTypeFaults(what: string, { headers }: PhoneReply, expected: string): Fault[] {
  const found = headers['content-type'] ?? 'nothing named';
  if (found.split(';')[0]?.trim().toLowerCase() === expected) return [];
  return [{ kind: 'content-type', text: `${what} came as ${found}, not as ${expected}` }];
}

/** An answer that ends with its head must end there: what follows would be read as the next answer. */
export function bodyFaults({ status, strayBytes }: PhoneReply): Fault[] {
  if (strayBytes === 0) return [];
  return [
    { kind: 'body-unexpected', text: `a ${status} came with a body of ${strayBytes} bytes; it has none` },
  ];
}

function noList(...faults: Fault[]): Listing {
  return { serialNumbers: null, tag: null, faults };
}

function tagFaults(lastUpdated: unknown, count: number, sentTag: string | null): Fault[] {
  const listed = `the list of changes had ${count} serial number${count === 1 ? '' : 's'}`;
  if (lastUpdated === undefined) {
    return [{ kind: 'tag-missing', text: `${listed} but no lastUpdated tag` }];
  }
  if (!isText(lastUpdated)) {
    const found = JSON.stringify(lastUpdated);
    return [
      { kind: 'tag-not-a-string', text: `${listed} and the lastUpdated tag ${found}, which is no string` },
    ];
  }
  if (lastUpdated !== sentTag) return [];
  return [{ kind: 'tag-unchanged', text: `${listed} but the lastUpdated tag stayed '${sentTag}'` }];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
