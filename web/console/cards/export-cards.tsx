import { useEffect, useRef, useState } from 'preact/hooks';
import type { Instance, ListInstancesQuery, Pass } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { tellFailure } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { cards } from '../../texts/cards.ts';
import { api } from '../api.ts';
import { csvLine, saveCsv } from './csv-file.ts';

/** Reads all cards that the filters leave, page by page, into a file. */
export function ExportCards({
  pass,
  filters,
}: {
  readonly pass: Pass;
  readonly filters: ListInstancesQuery;
}) {
  const t = cards();
  const [count, setCount] = useState<number | null>(null);
  const ending = useRef<AbortController | null>(null);
  useEffect(() => () => ending.current?.abort(), []);
  const run = async () => {
    const stop = new AbortController();
    ending.current = stop;
    setCount(0);
    try {
      const lines = [csvLine(t.columns)];
      const all = api.instances.list(pass.passId, { ...filters, limit: 100 }, { signal: stop.signal });
      for await (const card of all) {
        lines.push(csvLine(row(card)));
        if (lines.length % 500 === 0) setCount(lines.length - 1);
      }
      saveCsv(lines, pass.title);
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

function row({ instanceId, status, holder, barcode, loyalty, wallets, createdAt }: Instance) {
  const { name, email, phone, identifier } = holder ?? {};
  const installed = wallets.apple + wallets.google + wallets.web;
  return [
    instanceId,
    status,
    name,
    email,
    phone,
    identifier,
    barcode,
    loyalty?.balance,
    installed,
    createdAt,
  ];
}
