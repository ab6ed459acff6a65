import { useState } from 'preact/hooks';
import type { Pass, Program } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, useCached } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { program as texts } from '../../texts/program.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { LaunchDialog } from './launch-dialog.tsx';
import { PassFrame } from './pass-tabs.tsx';
import { NewProgramForm, ProgramForm } from './program-form.tsx';

/** What the cards of a pass collect, and what for. */
export function ProgramPage({ params: { passId = '' } }: PageProps) {
  return (
    <PassFrame passId={passId} page="program">
      {(pass) =>
        pass.programId === null ? (
          <NoProgram pass={pass} onMade={() => invalidate(['passes'])} />
        ) : (
          <OwnProgram programId={pass.programId} />
        )
      }
    </PassFrame>
  );
}

function NoProgram({ pass, onMade }: { readonly pass: Pass; readonly onMade: () => void }) {
  const t = texts();
  const [isMaking, setMaking] = useState(false);
  if (isMaking) return <NewProgramForm passId={pass.passId} done={onMade} />;
  return (
    <div class="panel flush">
      <EmptyState icon="gift" title={t.none.title} text={t.none.text}>
        {may('write') && <Button onClick={() => setMaking(true)}>{t.none.action}</Button>}
      </EmptyState>
    </div>
  );
}

function OwnProgram({ programId }: { readonly programId: string }) {
  const loaded = useCached(['programs', programId], (options) => api.programs.get(programId, options));
  return (
    <LoadedView of={loaded} lines={3} height={7}>
      {(value) => <Shown program={value} />}
    </LoadedView>
  );
}

function Shown({ program }: { readonly program: Program }) {
  const t = texts();
  const { mode, status, reward, threshold, earn, rewards, tiers } = program;
  const changed = () => invalidate(['programs', program.programId]);
  return (
    <div class="stack">
      <section class="panel">
        <header>
          <h2>{t.example}</h2>
          <span class="row">
            <Badge kind={status === 'active' ? 'good' : 'note'}>{t.statuses[status]}</Badge>
            {may('write') && <Status program={program} onChange={changed} />}
          </span>
        </header>
        <p>
          {mode === 'STAMPS'
            ? t.stampExample(formatNumber(threshold ?? 0), reward.title)
            : t.pointExample(
                formatNumber(Math.floor(earn.perCurrencyUnit * 12.5) + earn.perOrder),
                formatNumber(reward.cost ?? 0),
                reward.title,
              )}
        </p>
      </section>
      <Figures programId={program.programId} />
      {rewards.length > 1 && (
        <section class="panel">
          <header>
            <h2>{t.rewards}</h2>
          </header>
          <dl class="facts">
            {rewards.map(({ rewardId, title, cost }) => (
              <div key={rewardId}>
                <dt dir="auto">{title}</dt>
                <dd>{formatNumber(cost)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {tiers.length > 0 && (
        <section class="panel">
          <header>
            <h2>{t.tiers}</h2>
          </header>
          <dl class="facts">
            {tiers.map(({ key, title, from }) => (
              <div key={key}>
                <dt dir="auto">{title}</dt>
                <dd>{t.from(formatNumber(from))}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {may('write') && <ProgramForm key={program.updatedAt} program={program} done={changed} />}
    </div>
  );
}

function Figures({ programId }: { readonly programId: string }) {
  const t = texts();
  const summary = useCached(['programs', programId, 'summary'], (options) =>
    api.programs.summary(programId, options),
  );
  return (
    <LoadedView of={summary} lines={1} height={6}>
      {({ issued, redeemed, expired, outstanding }) => (
        <section class="panel">
          <header>
            <h2>{t.figures}</h2>
          </header>
          <dl class="facts">
            {[
              [t.issued, issued] as const,
              [t.redeemed, redeemed] as const,
              [t.expired, expired] as const,
              [t.outstanding, outstanding] as const,
            ].map(([name, count]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="number">{formatNumber(count)}</dd>
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
