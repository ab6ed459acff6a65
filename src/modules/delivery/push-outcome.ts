/** What the caller of an update is told about its push. */
export type PushOutcome =
  | { readonly pushed: true }
  | { readonly pushed: false; readonly pushSkipReason: PushSkipReason };

export type PushSkipReason = 'unchanged' | 'insufficient_credits' | 'not_installed';
