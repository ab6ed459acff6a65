import { useState } from 'preact/hooks';
import type { Instance, Program } from '../../sdk/typescript/src/types.ts';
import { shownBalance } from '../shared/balance.ts';
import { LinkButton } from '../shared/button.tsx';
import { useLoad } from '../shared/data.ts';
import { formatDate, formatMoment, formatNumber } from '../shared/format.ts';
import { LoadedView } from '../shared/loaded-view.tsx';
import { Badge, Notice } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { may } from '../shared/session.ts';
import { StampDots } from '../shared/stamp-dots.tsx';
import { unitOf } from '../shared/unit-of.ts';
import { scanner } from '../texts/scanner.ts';
import { scannerOffline } from '../texts/scanner-offline.ts';
import { AwardBar } from './award-bar.tsx';
import { CardFront } from './card-front.tsx';
import { nameOf, usePassTitle } from './card-name.ts';
import { type Done, DoneBar } from './done-bar.tsx';
import { LastEntries } from './last-entries.tsx';
import { MoneyBar } from './money-bar.tsx';
import type { QueuedAward } from './offline/entry.ts';
import { type KnownCard, loadCard, loadProgram } from './offline/known-cards.ts';
import { queued } from './offline/sending.ts';
import { Rewards } from './rewards.tsx';
import { leaseFound } from './scans.ts';

/** A card at the till: whose it is, what it has, and what can be done. */
export function CardPage({ instanceId }: { readonly instanceId: string }) {
  const t = scanner().card;
  const card = useLoad((options) => loadCard(instanceId, leaseFound(instanceId), options), [instanceId]);
  return (
    <>
      {card.value === undefined && <PageHeader title={t.title} />}
      <LoadedView of={card} lines={3} height={6}>
        {(value) => <Card {...value} reload={card.reload} />}
      </LoadedView>
    </>
  );
}

interface CardProps extends KnownCard {
  readonly reload: () => void;
}

function Card({ card, asOf, reload }: CardProps) {
  const { loyalty } = card;
  const title = usePassTitle(card.passId);
  const isExpired = hasExpired(card, asOf);
  return (
    <>
      <PageHeader
        title={nameOf(card)}
        lead={
          <span class="row">
            <span dir="auto">{title}</span>
            {loyalty?.tier && (
              <Badge>
                <span dir="auto">{loyalty.tier.title}</span>
              </Badge>
            )}
          </span>
        }
      />
      {asOf !== null && (
        <Notice title={scannerOffline().asOf(formatMoment(new Date(asOf).toISOString()))}>
          <p>{scannerOffline().asOfText}</p>
        </Notice>
      )}
      {loyalty === null ? (
        <Plain card={card} isExpired={isExpired} />
      ) : (
        <Account card={card} asOf={asOf} isExpired={isExpired} loyalty={loyalty} reload={reload} />
      )}
    </>
  );
}

/** What the service says of its end; of a card that is remembered, the clock of the device. */
function hasExpired({ expired, expiresAt }: Instance, asOf: KnownCard['asOf']): boolean {
  if (asOf === null) return expired === true;
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}

interface Judged {
  readonly card: Instance;
  readonly isExpired: boolean;
}

/** A card without a program: it says what is on it, and nothing can be awarded. */
function Plain({ card, isExpired }: Judged) {
  return (
    <div class="stack">
      <Troubles card={card} isExpired={isExpired} />
      <CardFront card={card} />
      <Next />
    </div>
  );
}

function Account({
  card,
  asOf,
  isExpired,
  loyalty,
  reload,
}: Judged & Pick<CardProps, 'asOf' | 'reload'> & { readonly loyalty: NonNullable<Instance['loyalty']> }) {
  const program = useLoad((options) => loadProgram(loyalty.programId, options), [loyalty.programId]);
  const [done, setDone] = useState<Done | null>(null);
  const [changes, setChanges] = useState(0);
  const [isRedeeming, setRedeeming] = useState(false);
  const changed = (what: Done) => {
    setDone(what);
    setChanges((count) => count + 1);
    reload();
  };
  const { amount } = loyalty;
  const isGood = card.status === 'active' && !isExpired;
  const mayAct = isGood && program.value?.status === 'active' && may('award');
  return (
    <div class="at-till">
      <div class="stack">
        <Troubles card={card} isExpired={isExpired} program={program.value} />
        <Balance instanceId={card.instanceId} loyalty={loyalty} program={program.value} />
        <LoadedView of={program} lines={1} height={4}>
          {(known) => (
            <>
              {amount === undefined && (
                <Rewards
                  key={changes}
                  card={card}
                  loyalty={loyalty}
                  program={known}
                  mayRedeem={mayAct}
                  asksFor={isRedeeming ? done?.earned : undefined}
                  asked={() => setRedeeming(false)}
                  done={changed}
                />
              )}
              <LastEntries key={`entries ${changes}`} instanceId={card.instanceId} program={known} />
            </>
          )}
        </LoadedView>
      </div>
      <div class="bar">
        {done !== null && (
          <DoneBar
            done={done}
            again={amount === undefined ? scanner().done.again : scanner().money.again}
            changed={changed}
            onAddMore={() => setDone(null)}
            onRedeem={() => setRedeeming(true)}
          />
        )}
        {done === null &&
          mayAct &&
          program.value !== undefined &&
          (amount === undefined ? (
            <AwardBar card={card} program={program.value} knowsTotals={asOf === null} done={changed} />
          ) : (
            <MoneyBar
              card={card}
              currency={amount.currency}
              maxBalance={program.value.maxBalance}
              done={changed}
            />
          ))}
        {done === null && !mayAct && program.value !== undefined && <Next />}
      </div>
    </div>
  );
}

function Next() {
  return (
    <LinkButton kind="quiet" icon="scan" href="/scan">
      {scanner().card.next}
    </LinkButton>
  );
}

/** Why nothing can be done with a card, or not all. */
function Troubles({ card, isExpired, program }: Judged & { readonly program?: Program | undefined }) {
  const t = scanner().card;
  const { status, voidReason, voidedAt, expiresAt } = card;
  if (status === 'voided')
    return (
      <Notice kind="alert" title={voidedAt === null ? t.void : t.voidSince(formatDate(voidedAt))}>
        <p dir="auto">{voidReason ?? t.noReason}</p>
      </Notice>
    );
  if (expiresAt !== null && isExpired)
    return (
      <Notice kind="alert" title={t.expired(formatDate(expiresAt))}>
        <p>{t.expiredText}</p>
      </Notice>
    );
  if (program?.status === 'paused')
    return <Notice title={program.mode === 'MONEY' ? t.pausedMoney : t.paused} />;
  if (program?.status === 'not_launched') return <Notice title={t.notLaunched} />;
  return null;
}

/** What the balance does not have yet. */
const isUnsent = (state: QueuedAward['state']) => state === 'waiting' || state === 'sending';

function Balance({
  instanceId,
  loyalty,
  program,
}: {
  readonly instanceId: string;
  readonly loyalty: NonNullable<Instance['loyalty']>;
  readonly program: Program | undefined;
}) {
  const t = scanner().card;
  const { mode, balance, pendingRewards, amount } = loyalty;
  const threshold = mode === 'STAMPS' ? (program?.threshold ?? null) : null;
  const counted = threshold ?? balance;
  const unit = program === undefined ? '' : unitOf(program, counted);
  const waiting = queued.value
    .filter(({ card, state }) => 'instanceId' in card && card.instanceId === instanceId && isUnsent(state))
    .reduce((sum, { points }) => sum + points, 0);
  return (
    <section class="panel standing" aria-label={t.balance}>
      {amount !== undefined && (
        <p class="soft" dir="auto">
          {unit}
        </p>
      )}
      <p>
        <strong class="figure number">{shownBalance(loyalty)}</strong>
        {threshold !== null && <span class="soft number"> / {formatNumber(threshold)}</span>}{' '}
        {amount === undefined && (
          <span class="soft" dir="auto">
            {unit}
          </span>
        )}
        {waiting > 0 && <span class="soft number"> + {formatNumber(waiting)}</span>}
      </p>
      <StampDots balance={balance} threshold={threshold} />
      {pendingRewards > 0 && (
        <Badge kind="good">{t.pending(formatNumber(pendingRewards), pendingRewards)}</Badge>
      )}
    </section>
  );
}
