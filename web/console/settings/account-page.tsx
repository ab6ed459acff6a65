import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { useAction } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { CheckField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatMoment } from '../../shared/format.ts';
import { Badge } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { refreshSession, session } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { sessionCalls } from '../api.ts';
import { chooseLetterKeys, hasLetterKeys } from '../letter-keys.ts';
import { OwnNotices, OwnPersonForm } from './own-person.tsx';
import { Passkeys } from './passkeys.tsx';

/** As GET /sessions lists them. */
interface OwnSession {
  readonly sessionId: string;
  readonly current: boolean;
  readonly userAgent: string | null;
  readonly signedInAt: string;
  readonly lastUsedAt: string;
}

/** What concerns only who is signed in: their password, and where they are signed in. */
export function AccountPage() {
  const t = settings().account;
  const who = session.value;
  if (who === null) return null;
  const { email } = who.person;
  return (
    <>
      <PageHeader title={t.title} lead={email === null ? t.noAddress : t.lead(email)} />
      <div class="stack">
        <OwnNotices who={who} />
        <OwnPersonForm key={`${who.person.name} ${email}`} who={who} />
        {email !== null && <Password email={email} />}
        <Passkeys />
        <Keyboard />
        <h2>{t.sessionsTitle}</h2>
        <Sessions />
      </div>
    </>
  );
}

function Password({ email }: { readonly email: string }) {
  const t = settings().account;
  return (
    <section class="panel">
      <header>
        <h2>{t.passwordTitle}</h2>
      </header>
      <Form
        submit={t.setPassword}
        act={(filled) =>
          sessionCalls.json({
            method: 'POST',
            path: '/sessions/current/password',
            body: { password: filled.text('password') },
          })
        }
        done={async () => {
          toast(t.passwordSet);
          await refreshSession(sessionCalls);
        }}
      >
        <p>{t.passwordText}</p>
        <input type="email" autocomplete="username" value={email} readOnly hidden />
        <TextField
          name="password"
          label={t.password}
          hint={t.passwordHint}
          type="password"
          autocomplete="new-password"
          required
          minLength={10}
          maxLength={200}
        />
      </Form>
    </section>
  );
}

/** Kept in this browser: what its keys do is of no other. */
function Keyboard() {
  const t = settings().account;
  return (
    <section class="panel">
      <header>
        <h2>{t.keyboardTitle}</h2>
      </header>
      <CheckField
        name="letterKeys"
        label={t.letterKeys}
        hint={t.letterKeysHint}
        isChecked={hasLetterKeys.value}
        onChange={chooseLetterKeys}
      />
    </section>
  );
}

function Sessions() {
  const t = settings().account;
  const pages = usePages(['sessions'], (options) =>
    sessionCalls.list<OwnSession>({ method: 'GET', path: '/sessions' }, options),
  );
  const end = useAction(
    (sessionId: string) => sessionCalls.json({ method: 'DELETE', path: `/sessions/${sessionId}` }),
    () => {
      toast(t.ended);
      invalidate(['sessions']);
    },
  );
  return (
    <DataTable
      label={t.sessionsTitle}
      pages={pages}
      rowKey={({ sessionId }) => sessionId}
      empty={null}
      columns={[
        {
          head: t.browser,
          cell: ({ userAgent, current }) => (
            <span class="row">
              <strong>{browserOf(userAgent) ?? t.unknownBrowser}</strong>
              {current && <Badge kind="good">{t.current}</Badge>}
            </span>
          ),
        },
        {
          head: t.signedIn,
          kind: 'short',
          cell: ({ signedInAt }) => <span>{formatMoment(signedInAt)}</span>,
        },
        {
          head: t.lastUsed,
          kind: 'short',
          cell: ({ lastUsedAt }) => <span>{formatMoment(lastUsedAt)}</span>,
        },
        {
          head: shared().actions,
          kind: 'actions',
          cell: ({ sessionId, current }) =>
            !current && (
              <Button kind="quiet" isBusy={end.isBusy} onClick={() => end.run(sessionId)}>
                {t.end}
              </Button>
            ),
        },
      ]}
    />
  );
}

/** The browser and the system that a user agent names, as far as people would know them. */
function browserOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const browser = /(Edg|Firefox|OPR|Chrome|Safari)[\w]*\//.exec(userAgent)?.[1];
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1];
  const name = browser?.replace('Edg', 'Edge').replace('OPR', 'Opera');
  return [name, system?.replace('Mac OS X', 'macOS')].filter(Boolean).join(', ') || userAgent.slice(0, 60);
}
