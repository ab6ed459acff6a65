import { useState } from 'preact/hooks';
import type { Instance, SentCards } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { type CsvValue, csvLine, saveCsv } from '../../../shared/csv-file.ts';
import { attempt, useStoppable } from '../../../shared/data.ts';
import { formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../shared/notice.tsx';
import { session } from '../../../shared/session.ts';
import { invites } from '../../../texts/invites.ts';
import { api } from '../../api.ts';

type Counts = Omit<SentCards, 'nextCursor'>;
const none: Counts = { mailed: 0, noAddress: 0, suppressed: 0, sentBefore: 0, duplicate: 0 };

/** People whose card was never in a wallet: counted, then mailed; and their links as a file. */
export function CardsPanel({ passId, onSent }: { readonly passId: string; readonly onSent: () => void }) {
  const t = invites().cards;
  const [counts, setCounts] = useState<Counts | null>(null);
  const [sent, setSent] = useState<Counts | null>(null);
  const walk = async (dryRun: boolean, signal: AbortSignal, show: (counts: Counts) => void) => {
    let sum = none;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const body = { dryRun, ...(cursor !== undefined && { cursor }) };
      const { nextCursor, ...more } = await attempt(() => api.invites.sendCards(passId, body, { signal }));
      sum = added(sum, more);
      if (!dryRun || nextCursor === null) show(sum);
      cursor = nextCursor;
    }
  };
  const counting = useStoppable((signal) => walk(true, signal, setCounts));
  const sending = useStoppable(async (signal) => {
    await walk(false, signal, setSent);
    onSent();
  });
  const saving = useStoppable((signal) => saveLinks(passId, signal));
  const isCounted = counts !== null && sent === null;
  return (
    <section class="panel stack" aria-labelledby="cards-panel">
      <div>
        <h2 id="cards-panel">{t.title}</h2>
        <p class="soft">{t.lead}</p>
      </div>
      {session.value?.mailServer === false && <Notice title={t.noMail} />}
      <div role="status">
        {counting.isRunning && t.counting}
        {isCounted && !counting.isRunning && <Outcome of={counts} />}
        {sent !== null && <strong>{t.done(formatNumber(sent.mailed))}</strong>}
      </div>
      <div class="row">
        {isCounted && counts.mailed > 0 && (
          <Button icon="mail" isBusy={sending.isRunning} onClick={sending.run}>
            {t.send(counts.mailed, formatNumber(counts.mailed))}
          </Button>
        )}
        {counts === null && (
          <Button kind="quiet" isBusy={counting.isRunning} onClick={counting.run}>
            {t.count}
          </Button>
        )}
        <Button kind="quiet" icon="download" isBusy={saving.isRunning} onClick={saving.run}>
          {t.csv}
        </Button>
      </div>
    </section>
  );
}

function Outcome({ of }: { readonly of: Counts }) {
  const t = invites().cards;
  const left = Object.keys(t.left) as (keyof typeof t.left)[];
  return (
    <>
      <strong>{of.mailed === 0 ? t.noOne : t.ready(of.mailed, formatNumber(of.mailed))}</strong>
      {left
        .filter((name) => of[name] > 0)
        .map((name) => (
          <p key={name} class="soft">
            {t.left[name](formatNumber(of[name]))}
          </p>
        ))}
    </>
  );
}

function added(one: Counts, other: Counts): Counts {
  return {
    mailed: one.mailed + other.mailed,
    noAddress: one.noAddress + other.noAddress,
    suppressed: one.suppressed + other.suppressed,
    sentBefore: one.sentBefore + other.sentBefore,
    duplicate: one.duplicate + other.duplicate,
  };
}

/** Those whose card was never in a wallet, whether or not they can be mailed. */
async function saveLinks(passId: string, signal: AbortSignal): Promise<void> {
  const t = invites().cards;
  const lines = [csvLine(t.csvColumns)];
  for await (const card of api.instances.list(passId, { limit: 100, status: 'active' }, { signal }))
    if (card.installedAt === null) lines.push(csvLine(lineOf(card)));
  saveCsv(lines, t.csvTitle);
}

function lineOf({ holder, links }: Instance): readonly CsvValue[] {
  return [
    holder?.name ?? '',
    holder?.email ?? '',
    holder?.phone ?? '',
    holder?.identifier ?? '',
    links?.add ?? '',
  ];
}
