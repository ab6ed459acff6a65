import { useState } from 'preact/hooks';
import type { Pass, Store, Sweep } from '../../../../sdk/typescript/src/types.ts';
import { codeOf } from '../../../shared/api-error.ts';
import { LinkButton } from '../../../shared/button.tsx';
import { useCached } from '../../../shared/cached.ts';
import { SelectField, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { LoadedView } from '../../../shared/loaded-view.tsx';
import { useProgress } from '../../../shared/progress-events.ts';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';
import { EndedSweep } from './ended-sweep.tsx';
import { RunningSweep } from './running-sweep.tsx';
import { sweepSentence } from './sweep-sentence.ts';

/** The customers of a store, invited in three steps: count, look at the numbers, invite. One that runs is shown as it goes on. */
export function SweepPanel({ pass, onEnd }: { readonly pass: Pass; readonly onEnd: () => void }) {
  const t = invites().sweep;
  const { passId } = pass;
  const loaded = useCached<{ readonly stores: readonly Store[]; readonly sweep: Sweep | null }>(
    ['sweeps', passId],
    async (options) => {
      const [stores, sweep] = await Promise.all([
        api.stores.list({ limit: 100 }, options).toArray(),
        api.sweeps.get(passId, options).catch(noneYet),
      ]);
      return { stores, sweep };
    },
  );
  const { sweep = null, stores = [] } = loaded.value ?? {};
  const isGoing = sweep !== null && (sweep.state.running || sweep.state.waiting > 0);
  const show = (shown: Sweep) => {
    loaded.set({ stores, sweep: shown });
    if (!shown.state.running && shown.state.waiting === 0) onEnd();
  };
  useProgress(isGoing, (options) => api.sweeps.progress(passId, options), show, [passId, sweep?.sweepId]);
  return (
    <section class="panel stack" aria-labelledby="sweep">
      <div>
        <h2 id="sweep">{t.title}</h2>
        <p class="soft">{t.lead}</p>
      </div>
      {/* There before it says something, so that it is heard. */}
      <div role="status" class="sweep-status">
        {sweep !== null && <strong class="number">{sweepSentence(sweep)}</strong>}
      </div>
      <LoadedView of={loaded} lines={2} height={4}>
        {() => {
          const storeName = (id: string) => stores.find(({ storeId }) => storeId === id)?.domain ?? t.store;
          if (sweep !== null && isGoing)
            return <RunningSweep sweep={sweep} store={storeName(sweep.storeId)} onChange={show} />;
          const mayStart = may('write') && pass.status === 'published';
          const count = mayStart && (
            <CountForm
              pass={pass}
              stores={stores.filter(({ customersReadable }) => customersReadable)}
              last={sweep}
              onStart={show}
              onRunning={loaded.reload}
            />
          );
          if (sweep === null) return count;
          return (
            <EndedSweep
              key={sweep.sweepId}
              sweep={sweep}
              store={storeName(sweep.storeId)}
              mayStart={mayStart}
              count={count}
              onStart={show}
            />
          );
        }}
      </LoadedView>
    </section>
  );
}

function noneYet(error: unknown): null {
  if (codeOf(error) === 'sweep_not_found') return null;
  throw error;
}

function CountForm({
  pass: { passId },
  stores,
  last,
  onStart,
  onRunning,
}: {
  readonly pass: Pass;
  readonly stores: readonly Store[];
  readonly last: Sweep | null;
  readonly onStart: (sweep: Sweep) => void;
  readonly onRunning: () => void;
}) {
  const t = invites().sweep;
  const [reason, setReason] = useState<string | null>(null);
  if (stores.length === 0)
    return (
      <div class="row">
        <p>{t.noStore}</p>
        <LinkButton kind="quiet" href="/console/stores">
          {t.connect}
        </LinkButton>
      </div>
    );
  const chosen =
    stores.find(({ storeId }) => storeId === last?.storeId) ??
    stores.find((store) => store.passId === passId);
  return (
    <Form
      submit={last === null ? t.count : t.countAgain}
      act={async (filled) => {
        setReason(null);
        const limit = filled.number('limit');
        try {
          return await api.sweeps.start(passId, {
            storeId: filled.text('storeId'),
            dryRun: true,
            ...(limit !== null && { limit }),
          });
        } catch (error) {
          if (codeOf(error) === 'sweep_failed')
            setReason(String((error as { readonly reason?: string }).reason));
          if (codeOf(error) !== 'sweep_running') throw error;
          toast(t.alreadyRunning);
          onRunning();
          return null;
        }
      }}
      done={(begun) => begun && onStart(begun)}
    >
      <p>{t.countHint}</p>
      {reason !== null && t.reasons[reason] && <p>{t.reasons[reason]}</p>}
      <div class="columns start">
        <SelectField
          name="storeId"
          label={t.store}
          options={Object.fromEntries(stores.map(({ storeId, domain }) => [storeId, domain]))}
          {...(chosen && { value: chosen.storeId })}
        />
        <TextField name="limit" label={t.limit} hint={t.limitHint} type="number" min={1} max={10_000_000} />
      </div>
    </Form>
  );
}
