import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showError } from '../../shared/data.ts';
import { may } from '../../shared/session.ts';
import { isOperatorPage } from '../api.ts';

const isAsked = signal(false);

/** Whether calls are shown to who is signed in: to whom the pages for developers are. */
export function seesCalls(): boolean {
  return may('read') && !isOperatorPage();
}

/** Shows the last calls of this tab. */
export function showCalls(): void {
  isAsked.value = true;
}

/** Where the calls are shown when they are asked for. */
export function CallsAsked() {
  const [Calls, setCalls] = useState<ComponentType<{ readonly onClose: () => void }> | null>(null);
  const isOpen = isAsked.value;
  useEffect(() => {
    if (isOpen && Calls === null)
      import('./calls-dialog.tsx').then(({ CallsDialog }) => setCalls(() => CallsDialog), showError);
  }, [isOpen]);
  if (!isOpen || Calls === null) return null;
  return (
    <Calls
      onClose={() => {
        isAsked.value = false;
      }}
    />
  );
}
