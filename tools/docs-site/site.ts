import type { OpenApiDocument, Operation } from '../../src/kit/http/reference/openapi.ts';
import type { TypeWords } from './type-words.ts';

/** One operation with its place in the API. */
export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A page of prose, written in Markdown. */
export interface Guide {
  /** Its name in the address, and that of its file without `.md`. */
  readonly name: string;
  /** Its first heading. */
  readonly title: string;
  /** Its first paragraph. */
  readonly summary: string;
  readonly markdown: string;
}

/** A client library of a language. */
export interface ClientLibrary {
  /** What is imported: a package, or a module. */
  readonly from: string;
  readonly className: string;
  readonly variable: string;
}

/** What the pages are made of. */
export interface SiteInput {
  readonly document: OpenApiDocument;
  /** In the order of reading. */
  readonly guides: readonly Guide[];
  readonly words: TypeWords;
  /** The client libraries that there are, by the language of the examples. */
  readonly clients: Readonly<Record<string, ClientLibrary | undefined>>;
  /** Whether a request that was refused with this code may be sent again. */
  retryOf(code: string, status: number): string;
  /** Codes that come before any operation is known. */
  readonly beforeRouting: ReadonlySet<string>;
}

/** The input with what all pages look up in it. */
export interface Site extends SiteInput {
  readonly operations: readonly Listed[];
  /** Codes that most operations can answer: only named there, explained on the page of the errors. */
  readonly commonCodes: ReadonlySet<string>;
  /** The page of an operation (by its name, or by method and path) or of an error code; undefined for other words. */
  hrefOf(word: string): string | undefined;
}

/** The address of the start page; the others are below it. */
export const ROOT = '/docs';

export function siteOf(input: SiteInput): Site {
  const { document } = input;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const hrefs = new Map<string, string>();
  for (const code of Object.keys(document['x-error-codes'])) hrefs.set(code, errorHref(code));
  for (const { method, path, operation } of operations) {
    hrefs.set(operation.operationId, operationHref(operation));
    hrefs.set(`${method} ${path}`, operationHref(operation));
  }
  return {
    ...input,
    operations,
    commonCodes: commonCodes(operations),
    hrefOf: (word) => hrefs.get(word),
  };
}

/** The operations under one heading of the document. */
export function operationsOf({ operations }: Site, tag: string): Listed[] {
  return operations.filter(({ operation }) => operation.tags.includes(tag));
}

/** Every error code of an operation with its status, from the enums of its error answers. */
export function codesOf({ responses }: Operation): { status: string; code: string }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const parts = content?.['application/json']?.schema?.allOf ?? [];
    const codes = parts.flatMap((part) => (part.properties?.code?.enum ?? []) as readonly string[]);
    return codes.map((code) => ({ status, code }));
  });
}

export function operationHref({ operationId }: Operation): string {
  return `${ROOT}/${operationId}`;
}

export function groupHref(tag: string): string {
  return `${ROOT}/${slug(tag)}`;
}

export function errorHref(code: string): string {
  return `${ROOT}/errors#${code}`;
}

/** A heading's words as a part of an address. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function commonCodes(operations: readonly Listed[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { operation } of operations) {
    for (const { code } of codesOf(operation)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const most = Math.max(2, operations.length / 2);
  return new Set([...counts].filter(([, count]) => count >= most).map(([code]) => code));
}
