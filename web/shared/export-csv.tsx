import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions } from '../../sdk/typescript/src/core/options.ts';
import type { List } from '../../sdk/typescript/src/core/pages.ts';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { type CsvValue, csvLine } from './csv-file.ts';
import { tellFailure } from './data.ts';
import { formatNumber } from './format.ts';
import { saveStream } from './save-stream.ts';

/** Pieces of so many lines leave the page's memory. */
const linesOfPiece = 500;

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
  const [count, setCount] = useState<number | null>(null);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  /** The file, some hundred lines at a time. The first character tells spreadsheets that it is UTF-8. */
  async function* piecesOf(signal: AbortSignal) {
    let piece = `\ufeff${csvLine(columns)}`;
    let read = 0;
    for await (const item of list({ signal })) {
      piece += csvLine(row(item));
      read += 1;
      if (read % linesOfPiece !== 0) continue;
      yield piece;
      piece = '';
      setCount(read);
    }
    yield piece;
  }
  const run = async () => {
    const stop = new AbortController();
    ending.current = stop;
    setCount(0);
    try {
      await saveStream(`${title}.csv`, () => piecesOf(stop.signal));
    } catch (error) {
      if (!stop.signal.aborted) tellFailure(error);
    } finally {
      setCount(null);
    }
  };
  if (count === null)
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
      <Button kind="quiet" onClick={() => ending.current?.abort()}>
        {t.stop}
      </Button>
    </p>
  );
}
