import { Button } from '../../shared/button.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { toast } from '../../shared/toast.tsx';
import { shell } from '../../texts/shell.ts';
import { putOffSetUp } from '../set-up.ts';
import { WaysInForm } from './ways-in.tsx';

/** What the first owner is asked before anything else: who they are, and how they get back in. */
export function SetUpPage() {
  const t = shell().setUp;
  return (
    <>
      <PageHeader title={t.title} lead={t.lead} />
      <section class="panel">
        <WaysInForm signIn={false} done={() => toast(t.done)} />
      </section>
      <p class="row later">
        <Button kind="plain" onClick={putOffSetUp}>
          {t.later}
        </Button>
        <span class="soft small">{t.laterText}</span>
      </p>
    </>
  );
}
