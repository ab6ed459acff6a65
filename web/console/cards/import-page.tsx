import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, LinkButton } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { csvLine, saveCsv } from '../../shared/csv-file.ts';
import { losesZeros } from '../../shared/csv-table.ts';
import { useStoppable } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { FileField, SelectField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { delimiterSentence, orToast } from '../../shared/table-faults.ts';
import { toast } from '../../shared/toast.tsx';
import { cards } from '../../texts/cards.ts';
import { importTexts } from '../../texts/import.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import {
  type CheckedRow,
  type CsvFile,
  checkRows,
  guess,
  type Mapping,
  readCsv,
  type Target,
} from './import-file.ts';
import { nothingDone, type Progress, runImport } from './import-run.ts';

const mostRows = 200_000;

/** Cards from a file: what its columns are, what will be, and how far it has come. */
export function ImportPage() {
  const t = importTexts();
  const wanted = query.value.get('passId');
  const passes = useCached(['passes', 'for import'], async (options) => {
    const all = await api.passes.list({ limit: 100, status: 'published' }, options).toArray();
    return all.filter(({ barcode }) => barcode.mode === 'unique' || barcode.mode === 'none');
  });
  const [passId, setPassId] = useState<string | null>(wanted);
  const [file, setFile] = useState<CsvFile | null>(null);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} back={{ href: '/console/cards', label: t.back }} />
      <LoadedView of={passes}>
        {(all) => {
          const chosen = all.find((pass) => pass.passId === passId) ?? all[0];
          if (chosen === undefined) return <Notice title={cards().noPasses.title} />;
          if (file !== null)
            return (
              <Mapped key={file.key} passId={chosen.passId} file={file} onAnother={() => setFile(null)} />
            );
          return (
            <div class="panel narrow">
              <Form
                submit={t.read}
                act={async (filled) => {
                  const bytes = new Uint8Array((await filled.file('file')?.arrayBuffer()) ?? []);
                  const read = orToast(() => readCsv(bytes));
                  if (read === null) return;
                  if (read.rows.length === 0) toast(t.empty, { kind: 'alert' });
                  else if (read.rows.length > mostRows) toast(t.tooLong, { kind: 'alert' });
                  else setFile(read);
                }}
              >
                <SelectField
                  name="passId"
                  label={cards().pass}
                  options={Object.fromEntries(all.map((pass) => [pass.passId, pass.title]))}
                  value={chosen.passId}
                  onChange={setPassId}
                />
                <FileField name="file" label={t.file} hint={t.fileHint} accept=".csv,.txt,.tsv,text/csv" />
              </Form>
            </div>
          );
        }}
      </LoadedView>
    </>
  );
}

function Mapped({
  passId,
  file,
  onAnother,
}: {
  readonly passId: string;
  readonly file: CsvFile;
  readonly onAnother: () => void;
}) {
  const t = importTexts();
  const [mapping, setMapping] = useState<Mapping>(() => guess(file.heads));
  const [isStarted, setStarted] = useState(false);
  const checked = checkRows(file, mapping);
  const good = checked.filter(({ problem }) => problem === null);
  const bad = checked.filter(({ problem }) => problem !== null);
  const codes = good.map(({ values }) => values.barcode ?? '');
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  if (isStarted) return <Running passId={passId} file={file} good={good} bad={bad} onAnother={onAnother} />;
  const choose = (column: number) => (target: string) =>
    setMapping(
      mapping.map((one, at) => (at === column ? (target as Target) || null : one === target ? null : one)),
    );
  return (
    <div class="stack">
      <section class="panel">
        <header>
          <h2 ref={heading} tabIndex={-1} aria-describedby="good">
            {t.columns}
          </h2>
        </header>
        <p class="soft small">{delimiterSentence(file.delimiter)}</p>
        <div class="columns">
          {file.heads.map((head, column) => (
            <SelectField
              key={column}
              name={`column${column}`}
              label={head || String(column + 1)}
              hint={file.rows[0]?.[column]?.slice(0, 40)}
              options={t.targets}
              value={mapping[column] ?? ''}
              onChange={choose(column)}
            />
          ))}
        </div>
      </section>
      <FirstCards rows={good.slice(0, 5)} mapping={mapping} />
      <section class="panel">
        <header>
          <h2>{t.checked}</h2>
        </header>
        <div class="stack">
          <p id="good" role="status">
            {t.good(formatNumber(good.length))}
          </p>
          {losesZeros(codes) && <p class="soft">{shared().table.losesZeros}</p>}
          {!mapping.includes('barcode') && <p class="soft">{t.withoutCode}</p>}
          {bad.length > 0 && (
            <details>
              <summary>{t.bad(formatNumber(bad.length))}</summary>
              <ul>
                {bad.slice(0, 50).map(({ line, problem }) => (
                  <li key={line}>
                    {t.line(formatNumber(line))}: {problem !== null && t.problems[problem]}
                  </li>
                ))}
              </ul>
            </details>
          )}
          <div class="row">
            <Button isDisabled={good.length === 0} onClick={() => setStarted(true)}>
              {t.start}
            </Button>
            <Button kind="quiet" onClick={onAnother}>
              {t.another}
            </Button>
          </div>
        </div>
      </section>
    </div>
  );
}

/** A name that two columns make is one. */
function shownAs(target: Target | null): Target | null {
  return target === 'firstName' || target === 'lastName' ? 'name' : target;
}

function FirstCards({ rows, mapping }: { readonly rows: readonly CheckedRow[]; readonly mapping: Mapping }) {
  const t = importTexts();
  const shown = [...new Set(mapping.map(shownAs))].filter((target) => target !== null);
  if (rows.length === 0 || shown.length === 0) return null;
  return (
    <DataTable
      label={t.preview}
      pages={{ items: rows, error: undefined, isLoading: false, more: undefined, reload: () => undefined }}
      rowKey={({ line }) => String(line)}
      empty={null}
      columns={shown.map((target) => ({
        head: t.targets[target],
        cell: ({ values }: CheckedRow) => <span dir="auto">{values[target] ?? ''}</span>,
      }))}
    />
  );
}

function Running({
  passId,
  file,
  good,
  bad,
  onAnother,
}: {
  readonly passId: string;
  readonly file: CsvFile;
  readonly good: readonly CheckedRow[];
  readonly bad: readonly CheckedRow[];
  readonly onAnother: () => void;
}) {
  const t = importTexts();
  const [progress, setProgress] = useState<Progress>(nothingDone);
  const { isRunning, run, stop } = useStoppable((signal) =>
    runImport({ passId, fileKey: file.key, rows: good }, progress, signal, setProgress),
  );
  useEffect(() => void run(), []);
  const { done, imported, refused } = progress;
  const isDone = done === good.length;
  const lost = [
    ...refused,
    ...bad.map(({ line, problem }) => ({ line, reason: problem === null ? '' : t.problems[problem] })),
  ].sort((a, b) => a.line - b.line);
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
        {refused.length > 0 && <p>{t.refused(formatNumber(refused.length))}</p>}
        {!isRunning && !isDone && <p>{t.stopped}</p>}
      </div>
      <div class="row">
        {isRunning && (
          <Button kind="quiet" onClick={stop}>
            {t.stop}
          </Button>
        )}
        {!isRunning && !isDone && <Button onClick={run}>{t.goOn}</Button>}
        {isDone && <LinkButton href={`/console/cards?passId=${passId}`}>{t.see}</LinkButton>}
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
