import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Pass, Program } from '../../../sdk/typescript/src/types.ts';
import { presentMinor } from '../../../src/kit/money/minor.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { formatMoney, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { program as texts } from '../../texts/program.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { LaunchDialog } from './launch-dialog.tsx';
import { PassFrame } from './pass-tabs.tsx';
import { draftOf } from './program-draft.ts';
import { LiveCard, ProgramForm } from './program-form.tsx';

/** What the cards of a pass collect, and what for. */
export function ProgramPage({ params: { passId = '' } }: PageProps) {
  return (
    <PassFrame passId={passId} page="program">
      {(pass) =>
        pass.programId === null ? (
          <NoProgram pass={pass} />
        ) : (
          <OwnProgram pass={pass} programId={pass.programId} />
        )
      }
    </PassFrame>
  );
}

function NoProgram({ pass }: { readonly pass: Pass }) {
  const t = texts();
  const [isMaking, setMaking] = useState(false);
  if (isMaking) return <ProgramForm pass={pass} program={null} done={() => invalidate(['passes'])} />;
  return (
    <div class="panel flush">
      <EmptyState
        icon="gift"
        title={t.none.title}
        text={pass.type === 'giftCard' ? t.gift.none : t.none.text}
      >
        {may('write') && <Button onClick={() => setMaking(true)}>{t.none.action}</Button>}
      </EmptyState>
    </div>
  );
}

function OwnProgram({ pass, programId }: { readonly pass: Pass; readonly programId: string }) {
  const loaded = useCached(['programs', programId], (options) => api.programs.get(programId, options));
  const changed = () => invalidate(['programs', programId]);
  return (
    <LoadedView of={loaded} lines={3} height={7}>
      {(program) => {
        const below = (
          <>
            <State program={program} onChange={changed} />
            <Figures program={program} />
          </>
        );
        if (!may('write'))
          return (
            <RuleAlone pass={pass} program={program}>
              {below}
            </RuleAlone>
          );
        return (
          <ProgramForm key={program.updatedAt} pass={pass} program={program} done={changed}>
            {below}
          </ProgramForm>
        );
      }}
    </LoadedView>
  );
}

/** The rule for those who may not change it. */
function RuleAlone({
  pass,
  program,
  children,
}: {
  readonly pass: Pass;
  readonly program: Program;
  readonly children: ComponentChildren;
}) {
  const t = texts();
  const { mode, reward, threshold, earn, currency, maxBalance } = program;
  return (
    <div class="program">
      <section class="panel rule" aria-label={t.rules}>
        <p class="sentence">
          {mode === 'MONEY' && t.gift.example(currency ?? '', maxBalance && formatMoney(maxBalance))}
          {mode === 'STAMPS' && t.stampExample(formatNumber(threshold ?? 0), reward.title)}
          {mode === 'POINTS' &&
            t.pointExample(
              formatNumber(Math.floor(earn.perCurrencyUnit * 12.5) + earn.perOrder),
              formatNumber(reward.cost ?? 0),
              reward.title,
            )}
        </p>
      </section>
      <LiveCard pass={pass} draft={draftOf(program)} />
      <div class="below stack">{children}</div>
    </div>
  );
}

/** Whether the program runs, and the button that changes it. */
function State({ program, onChange }: { readonly program: Program; readonly onChange: () => void }) {
  const t = texts();
  const { status, mode } = program;
  return (
    <section class="panel program-state" aria-labelledby="state">
      <div>
        <h2 id="state" class="row">
          {t.state} <Badge kind={status === 'active' ? 'good' : 'note'}>{t.statuses[status]}</Badge>
        </h2>
        <p class="soft small">{(mode === 'MONEY' ? t.gift : t).stateTexts[status]}</p>
      </div>
      {may('write') && <Status program={program} onChange={onChange} />}
    </section>
  );
}

function Figures({ program: { programId, currency } }: { readonly program: Program }) {
  const t = texts();
  const names = currency === null ? t : t.gift;
  const shown = (count: number) =>
    currency === null ? formatNumber(count) : formatMoney(presentMinor(count, currency));
  const summary = useCached(['programs', programId, 'summary'], (options) =>
    api.programs.summary(programId, options),
  );
  return (
    <LoadedView of={summary} lines={1} height={6}>
      {({ issued, redeemed, expired, outstanding }) => (
        <section class="panel" aria-labelledby="so-far">
          <h2 id="so-far">{t.figures}</h2>
          <dl class="so-far">
            {[
              [names.issued, issued] as const,
              [names.redeemed, redeemed] as const,
              [t.expired, expired] as const,
              [names.outstanding, outstanding] as const,
            ].map(([name, count]) => (
              <div key={name}>
                <dt class="soft small">{name}</dt>
                <dd class="number">{shown(count)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </LoadedView>
  );
}

function Status({ program, onChange }: { readonly program: Program; readonly onChange: () => void }) {
  const t = texts();
  const { programId, status } = program;
  const [isLaunching, setLaunching] = useState(false);
  const turn = useAction(
    () => api.programs.update(programId, { status: status === 'active' ? 'paused' : 'active' }),
    () => {
      toast(t.saved);
      onChange();
    },
  );
  if (status !== 'not_launched')
    return (
      <Button kind="quiet" isBusy={turn.isBusy} onClick={() => turn.run()}>
        {status === 'active' ? t.pause : t.resume}
      </Button>
    );
  return (
    <>
      <Button onClick={() => setLaunching(true)}>{t.launch}</Button>
      {isLaunching && (
        <LaunchDialog
          program={program}
          done={() => {
            setLaunching(false);
            toast(t.launched);
            onChange();
          }}
          onClose={() => setLaunching(false)}
        />
      )}
    </>
  );
}
