import { useState } from 'preact/hooks';
import type { Sweep } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { useAction, usePages } from '../../../shared/data.ts';
import { DataTable } from '../../../shared/data-table.tsx';
import { EmptyState } from '../../../shared/notice.tsx';
import { bytesOf, saveStream } from '../../../shared/save-stream.ts';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';

/** From so many on a file is written where it is to be, instead of being collected. */
const large = 50_000;

/** What became of each customer, on the page and as a file. */
export function SweepResults({ sweep: { sweepId, passId, state } }: { readonly sweep: Sweep }) {
  const t = invites().sweep;
  const [isOpen, setOpen] = useState(false);
  const save = useAction(() =>
    saveStream(
      `${sweepId}.csv`,
      async function* () {
        yield* bytesOf(await api.sweeps.resultsCsv(passId));
      },
      { isLarge: state.found > large },
    ),
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
  const pages = usePages((options) => api.sweeps.results(passId, { limit: 25 }, options), [sweepId]);
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
