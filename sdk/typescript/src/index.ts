export type { FollowQuery } from './core/event-follower.ts';
export type { CallOptions, Clock, FileBody, PunchcardOptions } from './core/options.ts';
export { List, type Page } from './core/pages.ts';
export {
  PunchcardConnectionError,
  PunchcardError,
  PunchcardTimeoutError,
  UnexpectedAnswerError,
} from './core/punchcard-error.ts';
export type { FileResult, ResponseFacts, Result } from './core/result.ts';
export {
  type IncomingHeaders,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from './core/verify-webhook.ts';
export * from './errors.ts';
export { eventTypes } from './event-types.ts';
export { Punchcard } from './punchcard.ts';
export type * from './types.ts';
