/** What the caller of an update is answered about its push. */
export type PushOutcome =
  | { readonly pushed: true }
  | { readonly pushed: false; readonly pushSkipReason: 'unchanged' | 'not_installed' }
  | {
      readonly pushed: false;
      readonly pushSkipReason: 'insufficient_credits';
      /** Whether any wallet holds the card: without one there is nothing to make up for. */
      readonly installed: boolean;
    };
