import { useState } from 'preact/hooks';
import type { Pass } from '../../sdk/typescript/src/types.ts';
import { Button } from '../shared/button.tsx';
import { CopyField } from '../shared/copy-field.tsx';
import { useLoad } from '../shared/data.ts';
import { SelectField, TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { LoadedView } from '../shared/loaded-view.tsx';
import { EmptyState } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { may } from '../shared/session.ts';
import { toast } from '../shared/toast.tsx';
import { scanner } from '../texts/scanner.ts';
import { api } from './api.ts';
import { showCard } from './scans.ts';

/** A card for a customer who has none: their own phone reads a code, or a member who may issue cards makes one. */
export function EnrolPage() {
  const t = scanner().enrol;
  const passes = useLoad((options) =>
    api.passes.list({ limit: 100, status: 'published' }, options).toArray(),
  );
  return (
    <div class="narrow stack">
      <PageHeader title={t.title} back={{ href: '/scan', label: t.back }} />
      <LoadedView of={passes} lines={2} height={8}>
        {(all) => <Ways passes={all} />}
      </LoadedView>
    </div>
  );
}

function Ways({ passes }: { readonly passes: readonly Pass[] }) {
  const t = scanner().enrol;
  const open = passes.filter(({ join }) => join?.enabled === true);
  const mayIssue = may('write') && passes.length > 0;
  if (open.length === 0 && !mayIssue) return <EmptyState icon="card" title={t.none} text={t.noneText} />;
  return (
    <>
      {open.map((pass) => (
        <JoinCode key={pass.passId} pass={pass} url={pass.join?.url ?? ''} />
      ))}
      {mayIssue && <NewCard passes={passes} />}
    </>
  );
}

function JoinCode({ pass, url }: { readonly pass: Pass; readonly url: string }) {
  const t = scanner().enrol;
  return (
    <section class="panel join" aria-label={pass.title}>
      <h2 dir="auto">{pass.title}</h2>
      <p class="soft">{t.scanThis}</p>
      <img class="join-qr" src={`${new URL(url).pathname}/qr.svg`} alt={t.qr(pass.title)} />
      <CopyField label={t.link} text={url} />
    </section>
  );
}

function NewCard({ passes }: { readonly passes: readonly Pass[] }) {
  const t = scanner().enrol;
  const [isOpen, setOpen] = useState(false);
  if (!isOpen)
    return (
      <Button kind="quiet" icon="plus" onClick={() => setOpen(true)}>
        {t.byHand}
      </Button>
    );
  return (
    <section class="panel" aria-labelledby="by-hand">
      <header>
        <h2 id="by-hand">{t.byHand}</h2>
      </header>
      <Form
        submit={t.submit}
        act={(filled) =>
          api.instances.issue(filled.text('passId'), {
            holder: {
              name: filled.optional('holder.name'),
              phone: filled.optional('holder.phone'),
              email: filled.optional('holder.email'),
            },
          })
        }
        done={(card) => {
          toast(t.made);
          showCard(card);
        }}
      >
        {passes.length === 1 ? (
          <input type="hidden" name="passId" value={passes[0]?.passId} />
        ) : (
          <SelectField
            name="passId"
            label={t.pass}
            options={Object.fromEntries(passes.map(({ passId, title }) => [passId, title]))}
          />
        )}
        <TextField name="holder.name" label={t.name} required maxLength={120} autocomplete="off" />
        <TextField name="holder.phone" label={t.phone} type="tel" autocomplete="off" />
        <TextField name="holder.email" label={t.email} type="email" autocomplete="off" />
      </Form>
    </section>
  );
}
