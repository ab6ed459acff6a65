/** An operation as a client asks for it. */
export type Call =
  | {
      readonly op: 'earn';
      readonly target: Target;
      readonly points: number;
      readonly ref: string | null;
      readonly occurredAt: number | null;
      readonly isOfOrder: boolean;
    }
  | { readonly op: 'redeem'; readonly target: Target; readonly ref: string | null }
  | {
      readonly op: 'adjust';
      readonly target: Target;
      readonly points: number;
      readonly isEarned: boolean;
      readonly ref: string | null;
    }
  | { readonly op: 'reverse'; readonly entryId: string; readonly ref: string | null }
  | { readonly op: 'refund'; readonly entryId: string; readonly points: number }
  | { readonly op: 'preview'; readonly target: Target; readonly points: number }
  | { readonly op: 'look'; readonly identifier: string }
  | { readonly op: 'setStatus'; readonly status: 'active' | 'paused' }
  | { readonly op: 'setPrice'; readonly price: number }
  | { readonly op: 'void'; readonly instanceId: string }
  | { readonly op: 'reactivate'; readonly instanceId: string }
  | { readonly op: 'issue'; readonly identifier: string }
  | { readonly op: 'expire' };

export interface Target {
  readonly by: 'identifier' | 'instanceId' | 'barcode';
  readonly value: string;
}
