import { Button } from '../../shared/button.tsx';
import { useAction } from '../../shared/data.ts';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice } from '../../shared/notice.tsx';
import { hasNoWayIn, type Session, session } from '../../shared/session.ts';
import { settings } from '../../texts/settings.ts';
import { shared } from '../../texts/shared.ts';
import { shell } from '../../texts/shell.ts';
import { goSignIn, sessionCalls } from '../api.ts';
import { signWithPasskey, whyNoPasskeys } from './make-passkey.ts';
import { WaysInForm } from './ways-in.tsx';

interface Props {
  readonly answer: (isDone: boolean) => void;
}

/** The ways in that the person has, to sign in by again; who has none sets one up. */
export function SignInAgainWays({ answer }: Props) {
  const who = session.value;
  if (who === null) return null;
  if (hasNoWayIn(who)) return <SetUpFirst answer={answer} />;
  return <Ways who={who} answer={answer} />;
}

function SetUpFirst({ answer }: Props) {
  const t = shell().signInAgain;
  return (
    <>
      <p>{t.none}</p>
      {/* With a password they have signed in by then; a passkey is asked for anew. */}
      <WaysInForm signIn={true} done={() => session.value?.waysIn?.includes('password') && answer(true)} />
    </>
  );
}

function Ways({ who, answer }: Props & { readonly who: Session }) {
  const t = shell().signInAgain;
  const { email } = who.person;
  // Former versions do not say.
  const ways = who.waysIn ?? ['password', 'mail'];
  const missing = ways.includes('passkey') ? whyNoPasskeys() : null;
  const done = (begun: Session) => {
    session.value = begun;
    answer(true);
  };
  const byPasskey = useAction(async () => {
    const options = await sessionCalls.json<object>({ method: 'GET', path: '/sessions/options' });
    const body = await signWithPasskey(options);
    return sessionCalls.json<Session>({ method: 'POST', path: '/sessions', body });
  }, done);
  const hasPassword = ways.includes('password') && email !== null;
  const cancel = (
    <Button kind="quiet" onClick={() => answer(false)}>
      {shared().cancel}
    </Button>
  );
  const elsewhere = (ways.includes('mail') || ways.includes('provider') || missing !== null) && (
    <Button kind="plain" onClick={goSignIn}>
      {ways.includes('mail') ? t.byLink : t.elsewhere}
    </Button>
  );
  return (
    <div class="stack">
      <p>{t.text}</p>
      {ways.includes('passkey') &&
        (missing === null ? (
          <div class="row">
            <Button icon="lock" isBusy={byPasskey.isBusy} onClick={() => byPasskey.run()}>
              {t.byPasskey}
            </Button>
            {!hasPassword && cancel}
            {!hasPassword && elsewhere}
          </div>
        ) : (
          <Notice title={settings().account.passkeysNeed[missing]} />
        ))}
      {hasPassword && (
        <Form
          submit={t.submit}
          kind={ways.includes('passkey') && missing === null ? 'quiet' : 'primary'}
          act={(filled) =>
            sessionCalls.json<Session>({
              method: 'POST',
              path: '/sessions',
              body: { email, password: filled.text('password') },
            })
          }
          done={done}
          secondary={
            <>
              {cancel}
              {elsewhere}
            </>
          }
        >
          <input type="email" autocomplete="username" value={email} readOnly hidden />
          <TextField
            name="password"
            label={t.password}
            type="password"
            autocomplete="current-password"
            required
          />
        </Form>
      )}
      {!hasPassword && (!ways.includes('passkey') || missing !== null) && (
        <div class="row">
          <Button onClick={goSignIn}>{ways.includes('mail') ? t.byLink : t.elsewhere}</Button>
          {cancel}
        </div>
      )}
    </div>
  );
}
