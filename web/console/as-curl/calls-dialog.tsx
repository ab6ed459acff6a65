import { useState } from 'preact/hooks';
import { CopyBlock } from '../../shared/copy-block.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { calls as texts } from '../../texts/calls.ts';
import { calls, type RecordedCall } from '../calls.ts';
import { asCurl, asTypescript } from './written-calls.ts';

type Form = 'curl' | 'typescript';

/** The last calls of this tab, as others would make them. */
export function CallsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = texts();
  // As they were when this was opened: calls that are made while it is open would move them.
  const [all] = useState(() => calls.peek());
  const [form, setForm] = useState<Form>('curl');
  const changes = all.filter(({ method }) => method !== 'GET');
  const reads = all.filter(({ method }) => method === 'GET');
  const first = (changes[0] ?? reads[0])?.requestId;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>
        {t.lead} <code>$PUNCHCARD_KEY</code> {t.standsFor}
      </p>
      <fieldset class="segments">
        <legend class="unseen">{t.form}</legend>
        {(['curl', 'typescript'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="form"
              value={one}
              checked={form === one}
              onChange={() => setForm(one)}
            />
            {t.forms[one]}
          </label>
        ))}
      </fieldset>
      {all.length === 0 && <EmptyState icon="code" title={t.none} />}
      <Calls title={t.changes} of={changes} form={form} open={first} onClose={onClose} />
      <Calls title={t.reads} of={reads} form={form} open={first} onClose={onClose} />
    </Dialog>
  );
}

function Calls({
  title,
  of,
  form,
  open,
  onClose,
}: {
  readonly title: string;
  readonly of: readonly RecordedCall[];
  readonly form: Form;
  readonly open: string | undefined;
  readonly onClose: () => void;
}) {
  if (of.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <div class="calls">
        {of.map((call) => (
          <details key={call.requestId} open={call.requestId === open}>
            <summary>
              <span class="code">
                {call.method} {call.path}
              </span>
              <Badge kind={call.status >= 200 && call.status < 400 ? 'good' : 'alert'}>
                {call.status === 0 ? texts().noAnswer : call.status}
              </Badge>
            </summary>
            <Written of={call} form={form} onClose={onClose} />
          </details>
        ))}
      </div>
    </section>
  );
}

function Written({
  of,
  form,
  onClose,
}: {
  readonly of: RecordedCall;
  readonly form: Form;
  readonly onClose: () => void;
}) {
  const t = texts();
  const text = form === 'curl' ? asCurl(of, location.origin) : asTypescript(of, location.origin);
  return (
    <>
      <CopyBlock text={text ?? asCurl(of, location.origin)} />
      <p class="small">
        <a href={`/console/developers/requests/${encodeURIComponent(of.requestId)}`} onClick={onClose}>
          {t.trace}
        </a>
      </p>
    </>
  );
}
