import type { BackupPart } from './format.ts';

/**
 * Answers what looks at the parts of a backup one after the other, and raises what `foreign` makes of a table that has a
 * row of anybody but this workspace, or none to tell it by.
 */
export function ownedBy(workspaceId: string, foreign: (table: string) => Error): (part: BackupPart) => void {
  let table = '';
  let column = -1;
  let begun: Buffer[] = [];
  const look = (line: Buffer) => {
    if (fieldOf(line, column) !== workspaceId) throw foreign(table);
  };
  return (part) => {
    if (part.kind === 'table') {
      table = part.table;
      column = part.columns.indexOf('workspace_id');
      if (column === -1) throw foreign(table);
    }
    if (part.kind === 'table end' && begun.length > 0) throw foreign(table);
    if (part.kind !== 'rows') return;
    let from = 0;
    for (let end = part.bytes.indexOf(10); end !== -1; end = part.bytes.indexOf(10, from)) {
      look(Buffer.concat([...begun, part.bytes.subarray(from, end)]));
      begun = [];
      from = end + 1;
    }
    if (from < part.bytes.length) begun.push(part.bytes.subarray(from));
  };
}

/** In COPY's text a tab stands between two values, and nowhere else. */
function fieldOf(line: Buffer, column: number): string {
  let from = 0;
  for (let passed = 0; passed < column; passed++) {
    const tab = line.indexOf(9, from);
    if (tab === -1) return '';
    from = tab + 1;
  }
  const end = line.indexOf(9, from);
  return line.toString('latin1', from, end === -1 ? line.length : end);
}
