import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { showError } from '../../shared/data.ts';
import { may } from '../../shared/session.ts';
import { onToast } from '../../shared/toast.tsx';
import { calls as texts } from '../../texts/calls.ts';
import { isOperatorPage } from '../api.ts';
import { changeToOffer } from '../calls.ts';

interface Asked {
  /** Which call is shown at once; null for the newest. */
  readonly requestId: string | null;
}

const asked = signal<Asked | null>(null);

/** Whether calls are shown to who is signed in: to whom the pages for developers are. */
export function seesCalls(): boolean {
  return may('read') && !isOperatorPage();
}

/** Shows the last calls of this tab. */
export function showCalls(requestId: string | null = null): void {
  asked.value = { requestId };
}

/** What a toast says of the change that it reports. */
export function offerCurl(): void {
  onToast(() => {
    const change = seesCalls() ? changeToOffer() : null;
    if (change === null) return null;
    return (
      <button type="button" class="text-button small" onClick={() => showCalls(change.requestId)}>
        {texts().title}
      </button>
    );
  });
}

/** Where the calls are shown when they are asked for. */
export function CallsAsked() {
  const [Calls, setCalls] = useState<ComponentType<Asked & { readonly onClose: () => void }> | null>(null);
  const open = asked.value;
  useEffect(() => {
    if (open !== null && Calls === null)
      import('./calls-dialog.tsx').then(({ CallsDialog }) => setCalls(() => CallsDialog), showError);
  }, [open]);
  if (open === null || Calls === null) return null;
  return (
    <Calls
      {...open}
      onClose={() => {
        asked.value = null;
      }}
    />
  );
}
