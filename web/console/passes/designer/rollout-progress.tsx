import { useEffect, useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../shared/notice.tsx';
import { designer } from '../../../texts/designer.ts';
import { api } from '../../api.ts';

const pauseMs = 1_000;

/** How far a change has come to the cards that people have, from the moment it was made until it has arrived. */
export function RolloutProgress({ pass }: { readonly pass: Pass }) {
  const t = designer().rollout;
  const rollout = useRollout(pass);
  const [before] = useState(pass.rollout);
  if (rollout === null || rollout.cards === 0) return null;
  if (rollout.state === 'finished') {
    // What had arrived before the page was opened is no news.
    if (before?.state === 'finished' && before.startedAt === rollout.startedAt) return null;
    const { done, skipped } = rollout;
    return (
      <Notice kind={skipped === 0 ? 'good' : 'note'} title={t.finished(done, formatNumber(done))}>
        {skipped > 0 && <span>{t.skipped(formatNumber(skipped))}</span>}
      </Notice>
    );
  }
  const past = rollout.done + rollout.skipped;
  return (
    <div class="panel rollout">
      <label class="number">
        {t.running(formatNumber(past), formatNumber(rollout.cards))}
        <progress max={rollout.cards} value={past} />
      </label>
    </div>
  );
}

/** The newest change of a pass, asked for again as long as it is under way. */
function useRollout(pass: Pass): Pass['rollout'] {
  const [newest, setNewest] = useState<Pass>(pass);
  useEffect(() => setNewest(pass), [pass]);
  const { passId } = pass;
  const isRunning = newest.rollout?.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const ask = () => {
      api.passes.get(passId, { signal: ending.signal }).then(
        (answered) => {
          setNewest(answered);
          timer = setTimeout(ask, pauseMs);
        },
        () => {
          if (!ending.signal.aborted) timer = setTimeout(ask, 5 * pauseMs);
        },
      );
    };
    timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [passId, isRunning]);
  return newest.rollout;
}
