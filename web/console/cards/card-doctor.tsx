import type { InstanceDiagnosis } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { formatMoment } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, Notice } from '../../shared/notice.tsx';
import { doctor } from '../../texts/doctor.ts';
import { api } from '../api.ts';

type Finding = InstanceDiagnosis['findings'][number];

/** What goes on by itself; the rest waits for a person, error or not. */
const passing: ReadonlySet<Finding['code']> = new Set([
  'change_ahead',
  'change_held_back',
  'google_limit',
  'newest_not_fetched',
  'push_due',
  'push_in_hand',
  'push_paced',
  'push_retried',
  'push_service_unreached',
  'wallet_refuses',
] as const);

/** Why a phone does not show what the card says: asked for, since it looks everywhere. */
export function DoctorDialog({
  instanceId,
  onClose,
}: {
  readonly instanceId: string;
  readonly onClose: () => void;
}) {
  return (
    <Dialog title={doctor().open} onClose={onClose}>
      <div class="stack">
        <Found instanceId={instanceId} />
      </div>
    </Dialog>
  );
}

function Found({ instanceId }: { readonly instanceId: string }) {
  const t = doctor();
  const diagnosis = useCached(['instances', instanceId, 'diagnosis'], (options) =>
    api.instances.diagnosis(instanceId, options),
  );
  return (
    <LoadedView of={diagnosis} lines={3}>
      {({ findings }) => {
        // What a person has to do comes first.
        const of = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted);
        const problems = [...of('error'), ...of('warning')];
        const good = of('ok');
        return (
          <>
            <div role="status">
              {problems.length === 0 ? (
                <Notice kind="good" title={t.allGood} />
              ) : (
                <p class="soft">{t.problems(problems.length)}</p>
              )}
            </div>
            {problems.length > 0 && (
              <ul class="findings">
                {problems.map((finding, at) => (
                  <li key={at}>
                    <FindingText of={finding} />
                  </li>
                ))}
              </ul>
            )}
            {good.length > 0 && (
              <details>
                <summary>{t.inOrder}</summary>
                <ul class="findings">
                  {good.map((finding, at) => (
                    <li key={at}>{said(finding).what}</li>
                  ))}
                </ul>
              </details>
            )}
            <div>
              <Button kind="quiet" icon="refresh" isBusy={diagnosis.isLoading} onClick={diagnosis.reload}>
                {t.again}
              </Button>
            </div>
          </>
        );
      }}
    </LoadedView>
  );
}

function FindingText({ of: finding }: { readonly of: Finding }) {
  const { what, advice } = said(finding);
  return (
    <>
      <Badge kind={finding.level === 'error' ? 'alert' : 'note'}>{levelOf(finding)}</Badge>
      <div>
        <p>
          <strong>{what}</strong>
        </p>
        {advice !== undefined && <p class="soft">{advice}</p>}
        {finding.code === 'device_reported' && (
          <p class="soft small" dir="auto">
            {finding.what}
          </p>
        )}
      </div>
    </>
  );
}

/** What passes by itself is another matter than what a person has to mend, whatever hurry it has. */
function levelOf({ level, code }: Finding): string {
  const t = doctor();
  return level === 'warning' && !passing.has(code) ? t.toMend : t.levels[level];
}

/** A finding in the language of the pages; one that they do not know, in the service's own words. */
function said({ code, wallet, at, what, advice }: Finding): { what: string; advice?: string | undefined } {
  const t = doctor();
  const known = t.findings[code];
  if (known === undefined) return { what, advice: advice ?? undefined };
  const filled = (text: string) =>
    text
      .replace('{at}', at === null ? '' : formatMoment(at))
      .replace('{wallet}', wallet === null ? '' : t.wallets[wallet]);
  return { what: filled(known.what), advice: known.advice && filled(known.advice) };
}
