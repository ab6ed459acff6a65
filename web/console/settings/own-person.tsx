import { Button } from '../../shared/button.tsx';
import { changesOf } from '../../shared/changes.ts';
import { useAction } from '../../shared/data.ts';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice } from '../../shared/notice.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { hasNoWayIn, refreshSession, type Session } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { sessionCalls } from '../api.ts';

/** As PATCH /sessions/current/person answers it. */
interface OwnPerson {
  readonly mailedTo: string | null;
}

async function change(body: object): Promise<OwnPerson> {
  const changed = await sessionCalls.json<OwnPerson>({
    method: 'PATCH',
    path: '/sessions/current/person',
    body,
  });
  await refreshSession(sessionCalls);
  return changed;
}

/** What is missing until a person gets back in: a way to sign in, or the proof of the address. */
export function OwnNotices({ who }: { readonly who: Session }) {
  const t = settings().account;
  const { email } = who.person;
  const token = query.value.get('address');
  const shown = ({ mailedTo }: OwnPerson) => mailedTo !== null && toast(t.mailed(mailedTo));
  const again = useAction(() => change({ email }), shown);
  const confirm = useAction(
    async () => {
      await sessionCalls.json({ method: 'POST', path: '/sessions/current/address', body: { token } });
      await refreshSession(sessionCalls);
    },
    () => {
      setQuery({ address: null });
      toast(t.confirmed);
    },
  );
  return (
    <>
      {token !== null && (
        <Notice title={t.confirmTitle}>
          <p>{t.confirmText}</p>
          <Button isBusy={confirm.isBusy} onClick={() => confirm.run()}>
            {t.confirm}
          </Button>
        </Notice>
      )}
      {hasNoWayIn(who) && (
        <Notice kind="alert" title={t.noWayIn}>
          <p>{t.noWayInText}</p>
        </Notice>
      )}
      {token === null && email !== null && who.mailServer && !who.emailProved && owns(who) && (
        <Notice title={t.unproved(email)}>
          <Button kind="quiet" isBusy={again.isBusy} onClick={() => again.run()}>
            {t.mailAgain}
          </Button>
        </Notice>
      )}
    </>
  );
}

function owns({ workspaces }: Session): boolean {
  return workspaces.some(({ role }) => role === 'owner');
}

/** Name and address of an owner, to be changed. */
export function OwnPersonForm({ who }: { readonly who: Session }) {
  const t = settings().account;
  const { name, email, personId } = who.person;
  if (!owns(who)) return null;
  const isFixed = email !== null && !who.mailServer;
  return (
    <section class="panel">
      <header>
        <h2>{t.personTitle}</h2>
      </header>
      <Form
        submit={shared().save}
        act={(filled) => {
          const wanted = { name: filled.text('name'), email: filled.optional('email') ?? email };
          return change(changesOf({ name, email }, wanted));
        }}
        done={({ mailedTo }) => toast(mailedTo === null ? t.saved : t.mailed(mailedTo))}
      >
        <TextField name="name" label={t.name} value={name} required maxLength={120} autocomplete="name" />
        {isFixed ? (
          <p>
            <strong>{t.email}</strong>
            <br />
            {email}
            <br />
            <span class="soft small">
              {t.emailFixed} <code>punchcard set-address {personId} …</code>
            </span>
          </p>
        ) : (
          <TextField
            name="email"
            label={t.email}
            hint={who.mailServer ? t.emailHint : undefined}
            value={email ?? ''}
            type="email"
            maxLength={254}
            autocomplete="email"
          />
        )}
      </Form>
    </section>
  );
}
