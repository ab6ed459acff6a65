import type { ComponentChildren } from 'preact';
import { Button } from '../../shared/button.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { PageHeader, Tabs } from '../../shared/page-header.tsx';
import { operator as operatorTexts } from '../../texts/operator.ts';
import { keepToken, operatorToken, operatorWith } from './operator.ts';

/** A page of the operator: its head, and what it shows to who has given the token. */
export function OperatorFrame({
  title,
  lead,
  back,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly back?: { readonly href: string; readonly label: string };
  readonly actions?: ComponentChildren;
  readonly children: () => ComponentChildren;
}) {
  const t = operatorTexts();
  const hasToken = operatorToken.value !== null;
  return (
    <>
      <PageHeader
        title={title}
        lead={lead}
        back={back}
        actions={
          hasToken && (
            <>
              {actions}
              <Button kind="plain" onClick={() => keepToken(null)}>
                {t.forget}
              </Button>
            </>
          )
        }
      >
        {hasToken && back === undefined && (
          <Tabs
            label={t.tabs}
            tabs={[
              { href: '/console/operator', label: t.workspaces.tab },
              { href: '/console/operator/service', label: t.service.tab },
            ]}
          />
        )}
      </PageHeader>
      {hasToken ? children() : <TokenForm />}
    </>
  );
}

function TokenForm() {
  const t = operatorTexts().token;
  return (
    <section class="panel">
      <Form
        submit={t.submit}
        act={async (filled) => {
          const token = filled.text('token');
          await operatorWith(token).listWorkspaces({ limit: 1 }).page();
          return token;
        }}
        done={keepToken}
      >
        <p>{t.text}</p>
        <TextField name="token" label={t.label} hint={t.hint} type="password" autocomplete="off" required />
      </Form>
    </section>
  );
}
