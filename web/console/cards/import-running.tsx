import { useEffect, useState } from 'preact/hooks';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../shared/button.tsx';
import { csvLine, saveCsv } from '../../shared/csv-file.ts';
import { useStoppable } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { importTexts } from '../../texts/import.ts';
import { invites } from '../../texts/invites.ts';
import type { CheckedRow, CsvFile } from './import-file.ts';
import { reasonOf } from './import-reasons.ts';
import { nothingDone, type Progress, runImport } from './import-run.ts';

const linesShown = 50;

/** How far an import has come, and what was left out. */
export function Running({
  pass: { passId, programId },
  file,
  good,
  bad,
  onAnother,
}: {
  readonly pass: Pass;
  readonly file: CsvFile;
  readonly good: readonly CheckedRow[];
  readonly bad: readonly CheckedRow[];
  readonly onAnother: () => void;
}) {
  const t = importTexts();
  const [progress, setProgress] = useState<Progress>(nothingDone);
  const { isRunning, run, stop } = useStoppable((signal) =>
    runImport({ passId, programId, fileKey: file.key, rows: good }, progress, signal, setProgress),
  );
  useEffect(() => void run(), []);
  const { done, imported, known, refused } = progress;
  const isDone = done === good.length;
  const lost = [...refused, ...bad.map((row) => ({ line: row.line, reason: reasonOf(row) }))].sort(
    (a, b) => a.line - b.line,
  );
  const saveLost = () => {
    const rows = new Map(file.rows.map((row, at) => [file.lines[at + 1], row]));
    const lines = lost.map(({ line, reason }) => csvLine([...(rows.get(line) ?? []), reason]));
    saveCsv([csvLine([...file.heads, t.reason]), ...lines], t.errors);
  };
  return (
    <section class="panel stack">
      <h2>{isDone ? t.done : t.progress(formatNumber(done), formatNumber(good.length))}</h2>
      <progress max={good.length} value={done} aria-label={t.title} />
      <div role="status">
        <p>{t.imported(formatNumber(imported))}</p>
        {known > 0 && <p>{t.known(formatNumber(known))}</p>}
        {!isRunning && !isDone && <p>{t.stopped}</p>}
      </div>
      {refused.length > 0 && (
        <details open>
          <summary>{t.refused(formatNumber(refused.length))}</summary>
          <ul>
            {refused.slice(0, linesShown).map(({ line, reason }) => (
              <li key={line}>
                {t.line(formatNumber(line))}: {reason}
              </li>
            ))}
          </ul>
          {refused.length > linesShown && (
            <p class="soft">{t.more(formatNumber(refused.length - linesShown))}</p>
          )}
        </details>
      )}
      <div class="row">
        {isRunning && (
          <Button kind="quiet" onClick={stop}>
            {t.stop}
          </Button>
        )}
        {!isRunning && !isDone && <Button onClick={run}>{t.goOn}</Button>}
        {isDone && <LinkButton href={`/console/cards?passId=${passId}`}>{t.see}</LinkButton>}
        {isDone && (
          <LinkButton kind="quiet" icon="mail" href={`/console/passes/${passId}/invites`}>
            {invites().cards.fromImport}
          </LinkButton>
        )}
        {isDone && lost.length > 0 && (
          <Button kind="quiet" icon="download" onClick={saveLost}>
            {t.errors}
          </Button>
        )}
        {isDone && (
          <Button kind="quiet" onClick={onAnother}>
            {t.another}
          </Button>
        )}
      </div>
    </section>
  );
}
