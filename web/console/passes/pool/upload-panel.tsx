import { useEffect, useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { CancelButton } from '../../../shared/cancel-button.tsx';
import { csvLine, saveCsv } from '../../../shared/csv-file.ts';
import { losesZeros } from '../../../shared/csv-table.ts';
import { useStoppable } from '../../../shared/data.ts';
import { CheckField, FileField, SelectField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { formatNumber } from '../../../shared/format.ts';
import { delimiterSentence, orToast } from '../../../shared/table-faults.ts';
import { toast } from '../../../shared/toast.tsx';
import { pool as texts } from '../../../texts/pool.ts';
import { shared } from '../../../texts/shared.ts';
import { tables } from '../../../texts/tables.ts';
import { type CsvFile, readCsv } from '../../cards/import-file.ts';
import { codesOf, type FileCode, guessReading, type Reading } from './pool-file.ts';
import { type LeftOut, nothingUploaded, type UploadProgress, uploadCodes } from './pool-upload.ts';

const mostLines = 500_000;

interface UploadProps {
  readonly pass: Pass;
  /** Some codes have arrived. */
  readonly onStep: () => void;
  readonly onClose: () => void;
}

/** Codes from a file: which column they are in, what will be, and how far it has come. */
export function Upload(props: UploadProps) {
  const t = texts();
  const [file, setFile] = useState<CsvFile | null>(null);
  if (file !== null) return <Chosen key={file.key} {...props} file={file} onAnother={() => setFile(null)} />;
  return (
    <section class="panel" aria-label={t.upload}>
      <Form
        submit={t.read}
        act={async (filled) => {
          const bytes = new Uint8Array((await filled.file('file')?.arrayBuffer()) ?? []);
          const read = orToast(() => readCsv(bytes));
          if (read === null) return;
          if (read.heads.length === 0) toast(t.noCodes, { kind: 'alert' });
          else if (read.rows.length > mostLines) toast(t.tooLong, { kind: 'alert' });
          else setFile(read);
        }}
        secondary={<CancelButton onClose={props.onClose} />}
      >
        <FileField name="file" label={t.file} hint={t.fileHint} accept=".csv,.txt,.tsv,text/csv,text/plain" />
      </Form>
    </section>
  );
}

function Chosen({
  file,
  onAnother,
  ...props
}: UploadProps & { readonly file: CsvFile; readonly onAnother: () => void }) {
  const t = texts();
  const [reading, setReading] = useState<Reading>(() => guessReading(file));
  const [isStarted, setStarted] = useState(false);
  const codes = codesOf(file, reading);
  const good = codes.filter(({ problem }) => problem === null);
  const bad = codes.flatMap(({ line, code, problem }) =>
    problem === null ? [] : [{ line, code, reason: problem }],
  );
  if (isStarted) return <Running {...props} good={good} bad={bad} />;
  const columns = file.heads.map((head, at) => [
    String(at),
    (reading.hasHeading && head) || t.columnNumber(at + 1),
  ]);
  return (
    <section class="panel stack" aria-labelledby="upload">
      <h2 id="upload">{t.check}</h2>
      {columns.length > 1 && (
        <div class="columns">
          <p class="soft small">{delimiterSentence(file.delimiter)}</p>
          <SelectField
            name="column"
            label={t.column}
            options={Object.fromEntries(columns)}
            value={String(reading.column)}
            onChange={(column) => setReading({ ...reading, column: Number(column) })}
          />
        </div>
      )}
      <CheckField
        name="heading"
        label={t.hasHeading}
        isChecked={reading.hasHeading}
        onChange={(hasHeading) => setReading({ ...reading, hasHeading })}
      />
      {good.length > 0 && (
        <div>
          <p class="soft small">{t.first}</p>
          <p class="code" dir="auto">
            {good
              .slice(0, 5)
              .map(({ code }) => code)
              .join(' · ')}
          </p>
        </div>
      )}
      <div>
        <p role="status">
          <strong>{t.good(good.length, formatNumber(good.length))}</strong>
        </p>
        <p class="soft">{t.order}</p>
        {losesZeros(good.map(({ code }) => code)) && <p class="soft">{tables().losesZeros}</p>}
      </div>
      {bad.length > 0 && (
        <details>
          <summary>{t.bad(bad.length, formatNumber(bad.length))}</summary>
          <ul>
            {bad.slice(0, 50).map(({ line, reason }) => (
              <li key={line}>{t.lineIs(formatNumber(line), t.reasons[reason])}</li>
            ))}
          </ul>
        </details>
      )}
      <div class="row">
        <Button isDisabled={good.length === 0} onClick={() => setStarted(true)}>
          {t.start(good.length, formatNumber(good.length))}
        </Button>
        <Button kind="quiet" onClick={onAnother}>
          {t.another}
        </Button>
      </div>
    </section>
  );
}

function Running({
  pass: { passId },
  good,
  bad,
  onStep,
  onClose,
}: UploadProps & { readonly good: readonly FileCode[]; readonly bad: readonly LeftOut[] }) {
  const t = texts();
  const [progress, setProgress] = useState<UploadProgress>(nothingUploaded);
  const { isRunning, run, stop } = useStoppable((signal) =>
    uploadCodes(passId, good, progress, signal, (next) => {
      setProgress(next);
      onStep();
    }),
  );
  useEffect(() => void run(), []);
  const { done, added, known, rejected } = progress;
  const isDone = done === good.length;
  const refused = rejected.length - known;
  const lost = [...bad, ...rejected].sort((a, b) => a.line - b.line);
  const saveLost = () =>
    saveCsv(
      [
        csvLine([t.line, t.code, t.reason]),
        ...lost.map(({ line, code, reason }) => csvLine([line, code, t.reasons[reason]])),
      ],
      t.errorFile,
    );
  return (
    <section class="panel stack" aria-labelledby="upload">
      <h2 id="upload">{isDone ? t.done : t.progress(formatNumber(done), formatNumber(good.length))}</h2>
      <progress max={good.length} value={done} aria-label={t.upload} />
      <div role="status">
        <p>{t.added(added, formatNumber(added))}</p>
        {known > 0 && <p>{t.known(known, formatNumber(known))}</p>}
        {refused > 0 && <p>{t.refused(refused, formatNumber(refused))}</p>}
        {isDone && bad.length > 0 && <p>{t.bad(bad.length, formatNumber(bad.length))}</p>}
        {!isRunning && !isDone && <p>{t.stopped}</p>}
      </div>
      <div class="row">
        {isRunning && (
          <Button kind="quiet" onClick={stop}>
            {shared().stop}
          </Button>
        )}
        {!isRunning && !isDone && <Button onClick={run}>{t.goOn}</Button>}
        {!isRunning && (
          <Button kind={isDone ? 'primary' : 'quiet'} onClick={onClose}>
            {t.close}
          </Button>
        )}
        {isDone && lost.length > 0 && (
          <Button kind="quiet" icon="download" onClick={saveLost}>
            {t.errors}
          </Button>
        )}
      </div>
    </section>
  );
}
