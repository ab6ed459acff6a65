import { type Draft, designOf, draftOf, imageSlots } from './draft.ts';

const format = 'punchcard-design';

/** Gives a design as a file; says how many images could not come along: uploads stay in their workspace. */
export function saveFile(draft: Draft): number {
  const left = imageSlots.filter((slot) => draft[slot]?.startsWith('upload:'));
  const design = { ...designOf(draft), ...Object.fromEntries(left.map((slot) => [slot, null])) };
  const text = JSON.stringify({ format, version: 1, design }, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${draft.title.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.design.json`;
  link.click();
  URL.revokeObjectURL(url);
  return left.length;
}

/** The design in a file, over the one that is there; null where the file is none. The service checks what it holds. */
export async function readFile(file: File, over: Draft): Promise<Draft | null> {
  try {
    const read = JSON.parse(await file.text()) as { format?: unknown; design?: Partial<Draft> };
    const { design } = read;
    if (read.format !== format || typeof design !== 'object' || design === null) return null;
    const known = Object.entries(design).filter(([name, value]) => name in over && value !== undefined);
    const laid = draftOf({ ...designOf(over), ...Object.fromEntries(known) } as Parameters<
      typeof draftOf
    >[0]);
    return isWhole(laid) ? laid : null;
  } catch {
    return null;
  }
}

/** Whether the pages of the designer can show it. */
function isWhole({ title, fields, expiry, colors, barcode }: Draft): boolean {
  const texts = fields.flatMap(({ key, label, section }) => [key, label, section]);
  return (
    [title, expiry.kind, barcode.mode, barcode.format, ...texts].every((text) => typeof text === 'string') &&
    typeof colors === 'object'
  );
}
