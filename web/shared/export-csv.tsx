import { useState } from 'preact/hooks';
import type { CallOptions } from '../../sdk/typescript/src/core/options.ts';
import type { List } from '../../sdk/typescript/src/core/pages.ts';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { type CsvValue, csvLine, saveCsv } from './csv-file.ts';
import { useStoppable } from './data.ts';
import { formatNumber, listSeparator } from './format.ts';

const linesOfPart = 500;

/** A button that reads a list to its end, page by page, into a CSV file. */
export function ExportCsv<T>({
  title,
  columns,
  list,
  row,
}: {
  /** The name of the file. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly list: (options: CallOptions) => List<T>;
  readonly row: (item: T) => readonly CsvValue[];
}) {
  const t = shared();
  const [count, setCount] = useState(0);
  const { isRunning, run, stop } = useStoppable(async (signal) => {
    setCount(0);
    // Blobs of some hundred lines each, which browsers keep outside of the page's memory.
    const parts: Blob[] = [];
    const separator = listSeparator();
    let lines = [csvLine(columns, separator)];
    let read = 0;
    for await (const item of list({ signal })) {
      lines.push(csvLine(row(item), separator));
      read += 1;
      if (read % linesOfPart !== 0) continue;
      parts.push(new Blob(lines));
      lines = [];
      setCount(read);
    }
    saveCsv([...parts, ...lines], title);
  });
  if (!isRunning)
    return (
      <p>
        <Button kind="quiet" icon="download" onClick={run}>
          {t.export}
        </Button>
      </p>
    );
  return (
    <p class="row" role="status">
      {t.exporting(formatNumber(count))}
      <Button kind="quiet" onClick={stop}>
        {t.stop}
      </Button>
    </p>
  );
}
