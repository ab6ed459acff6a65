import { useState } from 'preact/hooks';
import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { usePages } from '../../../shared/cached.ts';
import { useAction } from '../../../shared/data.ts';
import { DataTable } from '../../../shared/data-table.tsx';
import { saveFile } from '../../../shared/files.ts';
import { EmptyState } from '../../../shared/notice.tsx';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';

/** The outcome for each customer, on the page and as a file. */
export function SweepResults({ sweep: { sweepId, passId } }: { readonly sweep: Sweep }) {
  const t = invites().sweep;
  const [isOpen, setOpen] = useState(false);
  const save = useAction(
    // The browser keeps it outside of the page's memory.
    async () => new Response((await api.sweeps.resultsCsv(passId)).stream as BodyInit).blob(),
    (file) => saveFile(`${sweepId}.csv`, file),
  );
  return (
    <>
      <div class="row">
        {!isOpen && (
          <Button kind="quiet" icon="list" onClick={() => setOpen(true)}>
            {t.showResults}
          </Button>
        )}
        <Button kind="quiet" icon="download" isBusy={save.isBusy} onClick={() => save.run()}>
          {t.file}
        </Button>
      </div>
      {isOpen && <Results passId={passId} sweepId={sweepId} />}
    </>
  );
}

function Results({ passId, sweepId }: Pick<Sweep, 'passId' | 'sweepId'>) {
  const { sweep: t, statuses } = invites();
  const pages = usePages(['sweeps', passId, 'results', sweepId], (options) =>
    api.sweeps.results(passId, { limit: 25 }, options),
  );
  return (
    <DataTable
      label={t.results}
      pages={pages}
      rowKey={({ customerId }) => customerId}
      empty={<EmptyState icon="people" title={t.noResults} />}
      columns={[
        { head: t.customer, cell: ({ customerId }) => <span class="code">{customerId}</span> },
        { head: t.outcome, cell: ({ outcome }) => <span>{t.outcomeNames[outcome]}</span> },
        {
          head: t.mail,
          kind: 'short',
          cell: ({ inviteStatus }) =>
            inviteStatus && (
              <span>{(statuses as Readonly<Record<string, string>>)[inviteStatus] ?? inviteStatus}</span>
            ),
        },
      ]}
    />
  );
}
