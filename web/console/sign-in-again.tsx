import { signal } from '@preact/signals';
import { Dialog } from '../shared/dialog.tsx';
import { shell } from '../texts/shell.ts';
import { LazyPage } from './lazy-page.tsx';

/** What waits for the answer; null while no person is asked. */
const asked = signal<((isDone: boolean) => void) | null>(null);

/** Asks who is signed in to sign in again where that is too long ago; false where they would rather not. */
export function askToSignInAgain(): Promise<boolean> {
  asked.value?.(false);
  return new Promise((resolve) => {
    asked.value = (isDone) => {
      asked.value = null;
      resolve(isDone);
    };
  });
}

const load = async () => {
  const { SignInAgainWays } = await import('./settings/sign-in-again-ways.tsx');
  return () => <SignInAgainWays answer={(isDone) => asked.value?.(isDone)} />;
};

const ways = { path: '', load };

export function SignInAgain() {
  const answer = asked.value;
  if (answer === null) return null;
  return (
    <Dialog title={shell().signInAgain.title} onClose={() => answer(false)}>
      <LazyPage page={ways} params={{}} />
    </Dialog>
  );
}
