import type { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { closed, Id, nullable, oneOf, Timestamp } from '../kit/http/schemas/shapes.ts';
import { encodeId } from '../kit/ids.ts';
import type { PassRow } from './pass-row.ts';
import type { PassCounts } from './passes.sql.ts';
import { Pool, presentPool } from './pool.schema.ts';
import type { PoolCode } from './pool.sql.ts';

/** How many codes an upload may bring. */
export const codesPerUpload = 50_000;

const Codes = closed({
  barcodes: Type.Array(Type.String({ maxLength: 65_536 }), { maxItems: codesPerUpload }),
});
/** A CSV file is read while it arrives. */
const CodesFile = Type.Unsafe<Readable>({
  type: 'string',
  contentMediaType: 'text/csv',
  description:
    'one code a line; a first line `barcode` or `code` is taken for the header, and may name other columns, which are ignored',
});
export const Upload = Type.Union([Codes, CodesFile]);

/** Those of a code that is not new. */
const repeats = ['duplicate_in_upload', 'already_in_pool', 'already_issued'] as const;
/** Those of something that is no code. */
const faults = ['empty', 'too_long', 'unprintable', 'too_many_cells', 'damaged'] as const;
export type Fault = (typeof faults)[number];

const RejectedCode = closed({
  line: Type.Integer({ description: 'of the file, or the place in `barcodes`; counted from 1' }),
  value: Type.String({ description: 'as it was sent, at most 255 characters of it' }),
  reason: oneOf([...faults, ...repeats]),
});
export type RejectedCode = Static<typeof RejectedCode>;

export const UploadReport = closed(
  {
    received: Type.Integer(),
    added: Type.Integer(),
    duplicates: Type.Integer({ description: `rejected as ${repeats.join(', ')}` }),
    rejected: Type.Array(RejectedCode),
    pool: Pool,
  },
  { $id: 'UploadReport' },
);

/** The result of an upload; `rejected` in the order of its lines. */
export function presentUpload(
  pass: PassRow,
  counts: PassCounts,
  upload: { received: number; added: number; rejected: RejectedCode[] },
): Static<typeof UploadReport> {
  const isRepeat = ({ reason }: RejectedCode) => (repeats as readonly string[]).includes(reason);
  const duplicates = upload.rejected.filter(isRepeat).length;
  return { ...upload, duplicates, pool: presentPool(pass, counts) };
}

export const CodeState = oneOf(['available', 'assigned']);

export const PoolBarcode = closed(
  {
    barcode: Type.String(),
    state: CodeState,
    instanceId: nullable(Id),
    assignedAt: nullable(Timestamp),
  },
  { $id: 'PoolBarcode' },
);

/** A code of a pool as the API shows it. */
export function presentCode({ barcode, instanceId, assignedAt }: PoolCode): Static<typeof PoolBarcode> {
  return {
    barcode,
    state: instanceId === null ? 'available' : 'assigned',
    instanceId: instanceId === null ? null : encodeId('inst', instanceId),
    assignedAt: assignedAt?.toISOString() ?? null,
  };
}
