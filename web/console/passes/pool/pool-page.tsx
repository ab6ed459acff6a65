import { useState } from 'preact/hooks';
import type { Pass, PoolBarcode } from '../../../../sdk/typescript/src/types.ts';
import { codeOf } from '../../../shared/api-error.ts';
import { Button, LinkButton } from '../../../shared/button.tsx';
import { invalidate, usePages } from '../../../shared/cached.ts';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { DataTable } from '../../../shared/data-table.tsx';
import { TextField } from '../../../shared/field.tsx';
import { FilterBar } from '../../../shared/filter-bar.tsx';
import { Form } from '../../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../../shared/format.ts';
import { Badge, EmptyState, Notice } from '../../../shared/notice.tsx';
import { query } from '../../../shared/router.ts';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { pool as texts } from '../../../texts/pool.ts';
import { shared } from '../../../texts/shared.ts';
import { api } from '../../api.ts';
import type { PageProps } from '../../page.ts';
import { PassFrame } from '../pass-tabs.tsx';
import { Upload } from './upload-panel.tsx';

/** The codes that the cards of a pass draw from. */
export function PoolPage({ params: { passId = '' } }: PageProps) {
  const t = texts();
  const [isUploading, setUploading] = useState(false);
  const changed = () => invalidate(['passes', passId]);
  const hasPool = (pass: Pass) => pass.barcode.mode === 'pool';
  return (
    <PassFrame
      passId={passId}
      page="pool"
      actions={(pass) =>
        may('write') &&
        hasPool(pass) &&
        !isUploading && (
          <Button icon="upload" onClick={() => setUploading(true)}>
            {t.upload}
          </Button>
        )
      }
    >
      {(pass) =>
        hasPool(pass) ? (
          <div class="stack">
            {isUploading && <Upload pass={pass} onStep={changed} onClose={() => setUploading(false)} />}
            <Counts pass={pass} onSaved={changed} />
            <Codes pass={pass} onDeleted={changed} />
          </div>
        ) : (
          <div class="panel flush">
            <EmptyState icon="list" title={t.otherMode.title} text={t.otherMode.text}>
              <LinkButton href={`/console/passes/${passId}/design`}>{t.otherMode.action}</LinkButton>
            </EmptyState>
          </div>
        )
      }
    </PassFrame>
  );
}

function Counts({ pass: { passId, pool }, onSaved }: { readonly pass: Pass; readonly onSaved: () => void }) {
  const t = texts();
  const { available, assigned, total, lowAt, lowSince } = pool;
  const left = formatNumber(available);
  return (
    <>
      {available === 0 && total > 0 && <Notice kind="alert" title={t.exhausted} />}
      {lowSince !== null && available > 0 && <Notice title={t.low(available, left)}>{t.lowText}</Notice>}
      <section class="panel stack">
        <dl class="counts">
          {[
            [t.available, available] as const,
            [t.assigned, assigned] as const,
            [t.total, total] as const,
          ].map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="number">{formatNumber(count)}</dd>
            </div>
          ))}
        </dl>
        {may('write') && (
          <Form
            key={lowAt}
            submit={shared().save}
            act={(filled) => api.passes.update(passId, { pool: { lowAt: filled.number('pool.lowAt') ?? 0 } })}
            done={() => {
              toast(shared().saved);
              onSaved();
            }}
          >
            <div class="columns">
              <TextField
                name="pool.lowAt"
                label={t.lowAt}
                hint={t.lowAtHint}
                type="number"
                min={0}
                required
                value={String(lowAt)}
              />
            </div>
          </Form>
        )}
      </section>
    </>
  );
}

function Codes({ pass, onDeleted }: { readonly pass: Pass; readonly onDeleted: () => void }) {
  const t = texts();
  const { passId, pool } = pass;
  const wanted = query.value.get('state');
  const state = wanted === 'available' || wanted === 'assigned' ? wanted : undefined;
  const pages = usePages(['passes', passId, 'codes', state], (options) =>
    api.barcodes.list(passId, { limit: 50, ...(state && { state }) }, options),
  );
  const [deleted, setDeleted] = useState<PoolBarcode | null>(null);
  const changed = (said: string) => {
    setDeleted(null);
    toast(said);
    onDeleted();
  };
  return (
    <section class="stack" aria-labelledby="codes">
      <h2 id="codes">{t.codes}</h2>
      {pool.total > 0 && (
        <FilterBar
          label={t.filter}
          fields={[{ name: 'state', label: t.state, options: { '': t.all, ...t.states } }]}
        />
      )}
      <DataTable
        label={t.codes}
        pages={pages}
        rowKey={({ barcode }) => barcode}
        empty={
          state === undefined ? (
            <EmptyState icon="list" title={t.empty.title} text={t.empty.text} />
          ) : (
            <EmptyState icon="search" title={t.emptyFilter} />
          )
        }
        columns={[
          {
            head: t.code,
            cell: ({ barcode }) => (
              <span class="code" dir="auto">
                {barcode}
              </span>
            ),
          },
          {
            head: t.state,
            kind: 'short',
            cell: (code) => (
              <Badge kind={code.state === 'assigned' ? 'good' : undefined}>{t.states[code.state]}</Badge>
            ),
          },
          {
            head: t.assignedAt,
            kind: 'short',
            cell: ({ assignedAt }) => assignedAt && <span>{formatMoment(assignedAt)}</span>,
          },
          {
            head: shared().actions,
            kind: 'actions',
            cell: (code) =>
              code.instanceId === null ? (
                may('write') && (
                  <Button
                    kind="plain"
                    icon="trash"
                    label={`${t.delete}: ${code.barcode}`}
                    onClick={() => setDeleted(code)}
                  />
                )
              ) : (
                <a class="row-link" href={`/console/cards/${code.instanceId}`}>
                  {t.show}
                </a>
              ),
          },
        ]}
      />
      {deleted !== null && (
        <ConfirmDialog
          title={t.deleteOf(deleted.barcode)}
          confirm={t.delete}
          act={() =>
            api.barcodes.delete(passId, deleted.barcode).then(
              () => t.deleted,
              (error) => {
                // Another person has deleted it; or a card has got it.
                if (codeOf(error) === 'barcode_not_found') return t.deleted;
                if (codeOf(error) === 'invalid_request') return t.gone;
                throw error;
              },
            )
          }
          done={changed}
          onClose={() => setDeleted(null)}
        >
          <p>{t.deleteText(formatNumber(Math.max(pool.available - 1, 0)))}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
