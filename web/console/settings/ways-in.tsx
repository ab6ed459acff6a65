import { useState } from 'preact/hooks';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice } from '../../shared/notice.tsx';
import { refreshSession, type Session, session } from '../../shared/session.ts';
import { settings } from '../../texts/settings.ts';
import { shell } from '../../texts/shell.ts';
import { sessionCalls } from '../api.ts';
import { makePasskey, whyNoPasskeys } from './make-passkey.ts';

/** What the first start calls an owner who has not given a name yet. */
const namelessOwner = 'Owner';

/**
 * Asks who has no way to sign in again for one: a passkey or a password, and an owner for name and address. `signIn` wants them
 * to have signed in by it, too.
 */
export function WaysInForm({ signIn, done }: { readonly signIn: boolean; readonly done: () => void }) {
  const t = shell().setUp;
  const account = settings().account;
  const who = session.value;
  const missing = whyNoPasskeys();
  const owns = who?.workspaces.some(({ role }) => role === 'owner') ?? false;
  const email = who?.person.email ?? null;
  const mayHavePassword = owns || email !== null;
  const [way, setWay] = useState<'passkey' | 'password'>(missing === null ? 'passkey' : 'password');
  if (who === null) return null;
  if (missing !== null && !mayHavePassword) return <Notice title={account.passkeysNeed[missing]} />;
  return (
    <Form
      submit={t.submit}
      act={async (filled) => {
        const address = email ?? filled.text('email');
        if (owns && email === null) {
          const body = { name: filled.text('name'), email: address };
          await sessionCalls.json({ method: 'PATCH', path: '/sessions/current/person', body });
        }
        if (way === 'passkey') await addPasskey(t.passkeyName);
        else await setPassword(address, filled.text('password'), signIn);
        await refreshSession(sessionCalls);
      }}
      done={done}
    >
      {owns && email === null && (
        <>
          <TextField
            name="name"
            label={t.name}
            value={who.person.name === namelessOwner ? '' : who.person.name}
            required
            maxLength={120}
            autocomplete="name"
          />
          <TextField
            name="email"
            label={t.email}
            hint={who.mailServer ? t.emailHint : t.emailHintUnmailed}
            type="email"
            required
            maxLength={254}
            autocomplete="username"
          />
        </>
      )}
      {email !== null && <input type="email" autocomplete="username" value={email} readOnly hidden />}
      {missing === null && mayHavePassword && (
        <fieldset class="field choices">
          <legend>{t.way}</legend>
          <div class="choices-list">
            {(['passkey', 'password'] as const).map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="way"
                  value={one}
                  checked={way === one}
                  onChange={() => setWay(one)}
                />
                <span>
                  <strong>{t.ways[one]}</strong>
                  <br />
                  <span class="soft small">{t.wayTexts[one]}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {way === 'password' && (
        <TextField
          name="password"
          label={account.password}
          hint={
            missing === null
              ? account.passwordHint
              : `${account.passwordHint} ${account.passkeysNeed[missing]}`
          }
          type="password"
          autocomplete="new-password"
          required
          minLength={10}
          maxLength={200}
        />
      )}
    </Form>
  );
}

async function addPasskey(name: string): Promise<void> {
  const options = await sessionCalls.json<object>({ method: 'GET', path: '/passkeys/options' });
  const body = { name, ...(await makePasskey(options)) };
  await sessionCalls.json({ method: 'POST', path: '/passkeys', body });
}

async function setPassword(email: string, password: string, signIn: boolean): Promise<void> {
  await sessionCalls.json({ method: 'POST', path: '/sessions/current/password', body: { password } });
  if (!signIn) return;
  await sessionCalls.json<Session>({ method: 'POST', path: '/sessions', body: { email, password } });
}
