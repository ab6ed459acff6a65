import type { WalletName } from '../pushes/pushes.sql.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

/** Everything that can be found out about a card on its way to a phone, in the order of the way. */
export const findingCodes = [
  'card_active',
  'card_erased',
  'card_voided',
  'card_imported',
  'pass_not_published',
  'service_address',
  'certificate',
  'held',
  'removed',
  'not_registered',
  'not_added',
  'never_opened',
  'given_up',
  'device_reported',
  'credits_missing',
  'change_ahead',
  'wallet_refuses',
  'push_service_unreached',
  'device',
  'other_certificate',
  'device_asks',
  'change_held_back',
  'push_paced',
  'push_retried',
  'push_in_hand',
  'push_due',
  'push_failed',
  'push_taken',
  'newest_fetched',
  'newest_not_pushed',
  'newest_not_fetched',
  'changes_silent',
  'changes_announced',
  'value_not_announced',
  'google_not_asked',
  'google_not_set_up',
  'google_not_made',
  'google_not_kept',
  'google_silent',
  'google_limit',
  'browsers',
  'browsers_silent',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** A finding, with the code by which programs recognize it. */
export interface CardFinding extends Finding {
  readonly code: FindingCode;
  readonly wallet?: WalletName;
  /** The moment at which it happened, or will. */
  readonly at?: Date;
  /** What its workspace reads in the place of that, where the rest is the operator's business. */
  readonly own?: { readonly what?: string; readonly advice?: string };
}

/** What a workspace can do about what is the operator's business. */
export const askOperator = 'Ask the operator of the service.';
