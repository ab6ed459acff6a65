import { useState } from 'preact/hooks';
import type { Diagnosis } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { useCached } from '../../shared/cached.ts';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate, formatNumber } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, Notice } from '../../shared/notice.tsx';
import { operator as operatorTexts } from '../../texts/operator.ts';
import { operator } from './operator.ts';
import { OperatorFrame } from './operator-frame.tsx';
import { type Figure, loadService } from './read-figures.ts';

/** How the service itself is, and what is wrong with a card. */
export function ServicePage() {
  const t = operatorTexts().service;
  return (
    <OperatorFrame title={t.title} lead={t.lead}>
      {() => (
        <div class="stack">
          <Health />
          <Doctor />
        </div>
      )}
    </OperatorFrame>
  );
}

function Health() {
  const t = operatorTexts().service;
  const loaded = useCached(['operator', 'service'], ({ signal }) => loadService(signal));
  return (
    <LoadedView of={loaded} lines={2} height={8}>
      {({ isAlive, isReady, figures }) => (
        <section class="panel">
          <header>
            <h2>{t.health}</h2>
            <Button kind="quiet" icon="refresh" isBusy={loaded.isLoading} onClick={loaded.reload}>
              {t.again}
            </Button>
          </header>
          <dl class="facts">
            <State label={t.alive} isGood={isAlive} />
            <State label={t.ready} isGood={isReady} />
            <Certificate figures={figures} />
            {namesOf(figures).map((name) => (
              <div key={name}>
                <dt>{(t.figures as Readonly<Record<string, string>>)[name] ?? name}</dt>
                <dd class="row">
                  {figures
                    .filter((figure) => figure.name === name)
                    .map(({ label, value }) => (
                      <span class="badge number" key={label}>
                        {(t.labels as Readonly<Record<string, string>>)[label] ?? label} {formatNumber(value)}
                      </span>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </LoadedView>
  );
}

function State({ label, isGood }: { readonly label: string; readonly isGood: boolean }) {
  const t = operatorTexts().service;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Badge kind={isGood ? 'good' : 'alert'}>{isGood ? t.yes : t.no}</Badge>
      </dd>
    </div>
  );
}

const certificateEnd = 'certificate_expires_seconds';
const monthMs = 30 * 86_400_000;

/** Until when Apple passes can be signed, as far as the installation's own certificate goes. */
function Certificate({ figures }: { readonly figures: readonly Figure[] }) {
  const t = operatorTexts().service;
  const end = figures.find(({ name }) => name === certificateEnd);
  if (end === undefined) return null;
  const at = new Date(end.value * 1_000);
  const left = at.getTime() - Date.now();
  const days = Math.max(Math.floor(left / 86_400_000), 0);
  return (
    <div>
      <dt>{t.certificate}</dt>
      <dd class="row">
        <span>{formatDate(at.toISOString())}</span>
        <Badge kind={left <= 0 ? 'alert' : left < monthMs ? 'note' : 'good'}>
          {left <= 0 ? t.ended : t.daysLeft(formatNumber(days))}
        </Badge>
        {left < monthMs && (
          <a href="/docs/live-with-apple" target="_blank" rel="noreferrer">
            {t.renew}
          </a>
        )}
      </dd>
    </div>
  );
}

/** The figures that are shown as they are, in their order. */
function namesOf(figures: readonly Figure[]): string[] {
  return [...new Set(figures.map(({ name }) => name))].filter((name) => name !== certificateEnd);
}

function Doctor() {
  const t = operatorTexts().service;
  const [diagnosis, setDiagnosis] = useState<Diagnosis | null>(null);
  const kinds = { ok: 'good', warning: 'note', error: 'alert' } as const;
  return (
    <section class="panel">
      <header>
        <h2>{t.doctor}</h2>
      </header>
      <div class="stack">
        <Form
          submit={t.examine}
          act={(filled) => operator.value.diagnoseInstance(filled.text('instanceId'))}
          done={setDiagnosis}
        >
          <p>{t.doctorText}</p>
          <TextField
            name="instanceId"
            label={t.instanceId}
            placeholder="inst_…"
            required
            autocomplete="off"
          />
        </Form>
        <div class="stack" aria-live="polite">
          {diagnosis?.findings.map(({ level, what, advice }) => (
            <Notice key={what} kind={kinds[level]} title={what}>
              {advice}
            </Notice>
          ))}
        </div>
      </div>
    </section>
  );
}
