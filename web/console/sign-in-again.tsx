import { signal } from '@preact/signals';
import { Button } from '../shared/button.tsx';
import { Dialog } from '../shared/dialog.tsx';
import { TextField } from '../shared/field.tsx';
import { Form } from '../shared/form.tsx';
import { type Session, session } from '../shared/session.ts';
import { shared } from '../texts/shared.ts';
import { shell } from '../texts/shell.ts';
import { goSignIn, sessionCalls } from './api.ts';

/** What waits for the answer; null while no person is asked. */
const asked = signal<((isDone: boolean) => void) | null>(null);

/** Asks for the password again where a sign-in is too old; false where they would rather not. */
export function askToSignInAgain(): Promise<boolean> {
  asked.value?.(false);
  return new Promise((resolve) => {
    asked.value = (isDone) => {
      asked.value = null;
      resolve(isDone);
    };
  });
}

export function SignInAgain() {
  const answer = asked.value;
  const t = shell().signInAgain;
  const email = session.value?.person.email ?? null;
  if (answer === null) return null;
  return (
    <Dialog title={t.title} onClose={() => answer(false)}>
      <p>{t.text}</p>
      {email === null ? (
        <div class="row">
          <Button onClick={goSignIn}>{t.byLink}</Button>
        </div>
      ) : (
        <Form
          submit={t.submit}
          act={(filled) =>
            sessionCalls.json<Session>({
              method: 'POST',
              path: '/sessions',
              body: { email, password: filled.text('password') },
            })
          }
          done={(begun) => {
            session.value = begun;
            answer(true);
          }}
          secondary={
            <>
              <Button kind="quiet" onClick={() => answer(false)}>
                {shared().cancel}
              </Button>
              <Button kind="plain" onClick={goSignIn}>
                {t.byLink}
              </Button>
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
    </Dialog>
  );
}
