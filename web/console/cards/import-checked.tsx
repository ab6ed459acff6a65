import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { losesZeros } from '../../shared/csv-table.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { CheckField, SelectField } from '../../shared/field.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { delimiterSentence } from '../../shared/table-faults.ts';
import { importTexts } from '../../texts/import.ts';
import { tables } from '../../texts/tables.ts';
import {
  asItStands,
  type CheckedRow,
  type Choices,
  type CsvFile,
  checkRows,
  guess,
  type Mapping,
  questionsOf,
  type Target,
} from './import-file.ts';
import { type PhonePrefix, phonePrefixes } from './import-numbers.ts';
import { reasonOf } from './import-reasons.ts';
import { Running } from './import-running.tsx';
import { useProgram } from './use-program.ts';

const linesShown = 50;

/** A file that was read: what its columns are, what is to be decided, and what will be. */
export function CheckedFile({
  pass,
  file,
  onAnother,
}: {
  readonly pass: Pass;
  readonly file: CsvFile;
  readonly onAnother: () => void;
}) {
  const t = importTexts();
  const fields = pass.fields.filter(({ editable }) => editable);
  const [mapping, setMapping] = useState<Mapping>(() => guess(file.heads, { rows: file.rows, fields }));
  const [choices, setChoices] = useState<Choices>(asItStands);
  const [isStarted, setStarted] = useState(false);
  const program = useProgram(pass.programId ?? undefined);
  const isMoney = program?.mode === 'MONEY';
  // Of a file, `25` may be euros or cents: money is not guessed.
  const counts = program !== undefined && !isMoney;
  // Without a program a balance is not kept, and so cannot be wrong.
  const used = useMemo(
    () => mapping.map((target) => (target === 'balance' && !counts ? null : target)),
    [mapping, counts],
  );
  const checked = useMemo(() => checkRows(file, used, choices), [file, used, choices]);
  const good = useMemo(() => checked.filter(({ problem }) => problem === null), [checked]);
  const bad = useMemo(() => checked.filter(({ problem }) => problem !== null), [checked]);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  if (isStarted) return <Running pass={pass} file={file} good={good} bad={bad} onAnother={onAnother} />;
  const choose = (column: number) => (target: string) =>
    setMapping(
      mapping.map((one, at) => (at === column ? (target as Target) || null : one === target ? null : one)),
    );
  const names: Readonly<Record<string, string>> = {
    ...t.targets,
    ...Object.fromEntries(fields.map(({ key, label }) => [`field:${key}`, t.field(label || key)])),
  };
  const inAll = good.filter(({ values }) => Number(values.balance ?? 0) > 0).length;
  const isChosen = used.some((target) => target !== null);
  return (
    <div class="stack">
      <section class="panel">
        <header>
          <h2 ref={heading} tabIndex={-1} aria-describedby="good">
            {t.columns}
          </h2>
        </header>
        <div class="stack">
          <p class="soft small">{delimiterSentence(file.delimiter)}</p>
          <div class="columns start">
            {file.heads.map((head, column) => (
              <SelectField
                key={column}
                name={`column${column}`}
                label={head || String(column + 1)}
                hint={file.rows[0]?.[column]?.slice(0, 40)}
                options={names}
                value={mapping[column] ?? ''}
                onChange={choose(column)}
              />
            ))}
          </div>
        </div>
      </section>
      <Questions file={file} mapping={used} choices={choices} onChoose={setChoices} />
      <FirstCards rows={good.slice(0, 5)} mapping={used} names={names} />
      <section class="panel">
        <header>
          <h2>{t.checked}</h2>
        </header>
        <div class="stack">
          <div role="status">
            <p id="good">
              <strong>{t.good(formatNumber(good.length))}</strong>
            </p>
            {inAll > 0 && <p>{t.withBalance(formatNumber(inAll))}</p>}
          </div>
          {isMoney && mapping.includes('balance') && <Notice title={t.withoutMoney} />}
          {pass.programId === null && mapping.includes('balance') && (
            <Notice title={t.withoutProgram}>
              <a href={`/console/passes/${pass.passId}/program`}>{t.setUpProgram}</a>
            </Notice>
          )}
          {losesZeros(good.map(({ values }) => values.barcode ?? '')) && (
            <p class="soft">{tables().losesZeros}</p>
          )}
          {good.length > 0 && !used.includes('barcode') && <p class="soft">{t.withoutCode}</p>}
          <Shared rows={checked} choices={choices} onChoose={setChoices} />
          {good.length === 0 && <Notice kind="alert" title={isChosen ? t.noneGood : t.noColumn} />}
          {isChosen && bad.length > 0 && (
            <details open={good.length === 0}>
              <summary>{t.bad(formatNumber(bad.length))}</summary>
              <ul>
                {bad.slice(0, linesShown).map((row) => (
                  <li key={row.line}>
                    {t.line(formatNumber(row.line))}: {reasonOf(row)}
                  </li>
                ))}
              </ul>
              {bad.length > linesShown && <p class="soft">{t.more(formatNumber(bad.length - linesShown))}</p>}
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

interface ChoosingProps {
  readonly choices: Choices;
  readonly onChoose: (choices: Choices) => void;
}

/** What the file does not say by itself. */
function Questions({
  file,
  mapping,
  choices,
  onChoose,
}: ChoosingProps & { readonly file: CsvFile; readonly mapping: Mapping }) {
  const t = importTexts();
  const { balance, phones } = useMemo(() => questionsOf(file, mapping), [file, mapping]);
  if (balance === null && phones === null) return null;
  return (
    <section class="panel">
      <header>
        <h2>{t.questions}</h2>
      </header>
      <div class="stack narrow">
        {balance !== null && (
          <SelectField
            name="notation"
            label={t.notation(balance)}
            hint={t.notationHint}
            options={{
              thousands: t.thousands(balance.replace(/[.,]/, '')),
              decimals: t.decimals(formatNumber(Number(balance.replace(',', '.')))),
            }}
            value={choices.hasDecimals ? 'decimals' : 'thousands'}
            onChange={(notation) => onChoose({ ...choices, hasDecimals: notation === 'decimals' })}
          />
        )}
        {phones !== null && (
          <SelectField
            name="phonePrefix"
            label={t.barePhones(phones.count, formatNumber(phones.count))}
            hint={t.barePhonesHint}
            options={Object.fromEntries(
              phonePrefixes.map((prefix) => [prefix, t.phonePrefixes[prefix](prefix + phones.example)]),
            )}
            value={choices.phonePrefix}
            onChange={(prefix) => onChoose({ ...choices, phonePrefix: prefix as PhonePrefix })}
          />
        )}
      </div>
    </section>
  );
}

/** Lines that seem to be of one person, which are not wrong: families share a telephone. */
function Shared({ rows, choices, onChoose }: ChoosingProps & { readonly rows: readonly CheckedRow[] }) {
  const t = importTexts();
  const shared = rows.filter(({ twin, problem }) => twin !== null && problem !== 'twice');
  if (shared.length === 0) return null;
  return (
    <Notice title={t.shared(formatNumber(shared.length))}>
      <div class="stack">
        <ul>
          {shared.slice(0, 10).map(({ line, twin, cell }) => (
            <li key={line}>{t.sharedLine(formatNumber(line), formatNumber(twin ?? 0), cell ?? '')}</li>
          ))}
        </ul>
        {shared.length > 10 && <p>{t.more(formatNumber(shared.length - 10))}</p>}
        <CheckField
          name="onlyFirst"
          label={t.onlyFirst}
          isChecked={choices.onlyFirst}
          onChange={(onlyFirst) => onChoose({ ...choices, onlyFirst })}
        />
      </div>
    </Notice>
  );
}

/** A name that two columns make is one. */
function shownAs(target: Target | null): Target | null {
  return target === 'firstName' || target === 'lastName' ? 'name' : target;
}

function FirstCards({
  rows,
  mapping,
  names,
}: {
  readonly rows: readonly CheckedRow[];
  readonly mapping: Mapping;
  readonly names: Readonly<Record<string, string>>;
}) {
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
        head: names[target] ?? target,
        cell: ({ values }: CheckedRow) => <span dir="auto">{values[target] ?? ''}</span>,
      }))}
    />
  );
}
