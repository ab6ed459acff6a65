import { useState } from 'preact/hooks';
import type { Pass } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { saveCsv } from '../../shared/csv-file.ts';
import { FileField, SelectField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { orSay } from '../../shared/table-faults.ts';
import { cards } from '../../texts/cards.ts';
import { importTexts } from '../../texts/import.ts';
import { api } from '../api.ts';
import { CheckedFile } from './import-checked.tsx';
import { type CsvFile, readCsv, sampleText } from './import-file.ts';

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
            return <CheckedFile key={file.key} pass={chosen} file={file} onAnother={() => setFile(null)} />;
          return <ChooseFile passes={all} chosen={chosen} onPass={setPassId} onFile={setFile} />;
        }}
      </LoadedView>
    </>
  );
}

/** Why a file was not taken. */
interface Fault {
  readonly file: string;
  readonly reason: string;
}

function ChooseFile({
  passes,
  chosen,
  onPass,
  onFile,
}: {
  readonly passes: readonly Pass[];
  readonly chosen: Pass;
  readonly onPass: (passId: string) => void;
  readonly onFile: (file: CsvFile) => void;
}) {
  const t = importTexts();
  const [fault, setFault] = useState<Fault | null>(null);
  const read = async (given: File | null) => {
    setFault(null);
    const say = (reason: string) => setFault({ file: given?.name ?? '', reason });
    if (given === null) return say(t.noFile);
    const bytes = new Uint8Array(await given.arrayBuffer());
    const file = orSay(() => readCsv(bytes), say);
    if (file === null) return;
    if (file.rows.length === 0) say(t.empty);
    else if (file.rows.length > mostRows) say(t.tooLong);
    else onFile(file);
  };
  return (
    <div class="panel narrow stack">
      <div role="alert">
        {fault !== null && (
          <Notice kind="alert" title={fault.file === '' ? t.notRead : t.notReadOf(fault.file)}>
            <p>{fault.reason}</p>
          </Notice>
        )}
      </div>
      <Form submit={t.read} act={(filled) => read(filled.file('file'))}>
        <SelectField
          name="passId"
          label={cards().pass}
          options={Object.fromEntries(passes.map((pass) => [pass.passId, pass.title]))}
          value={chosen.passId}
          onChange={onPass}
        />
        <FileField
          name="file"
          label={t.file}
          hint={t.fileHint}
          accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,text/csv"
        />
      </Form>
      <div class="stack">
        <p class="soft small">{t.sampleHint}</p>
        <div>
          {' '}
          <Button
            kind="quiet"
            icon="download"
            onClick={() => saveCsv([sampleText(t.sample)], t.sample.title)}
          >
            {t.getSample}
          </Button>
        </div>
      </div>
    </div>
  );
}
