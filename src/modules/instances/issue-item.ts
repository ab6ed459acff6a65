import type { Static } from 'typebox';
import type { ActorCtx } from '../../context.ts';
import type { ApiError } from '../../kit/http/api-error.ts';
import type { Answer } from '../../kit/http/endpoint.ts';
import type { Opening } from '../loyalty/enter-openings.ts';
import type { HeldPass } from '../passes/pass-row.ts';
import type { NewInstance } from './instance.schema.ts';

/** One card to issue. */
export interface IssueItem {
  readonly ctx: ActorCtx;
  /** Public id. */
  readonly passId: string;
  readonly input: Static<typeof NewInstance>;
  /** The idempotency key, if the caller gave one. */
  readonly key: string | null;
  /** A card issued elsewhere: it brings its barcode, also where the pass has a pool. */
  readonly imported: boolean;
  readonly addressable: boolean;
  /** What a card issued elsewhere brings along. */
  readonly opening: Opening | null;
}

/** 201 with a new card, 200 with the one the holder has, a replay of either, or a refusal. */
export type IssueOutcome = Answer | ApiError;

/** An item that passed its checks, its pass, and the partner that it names. */
export interface CheckedItem {
  readonly item: IssueItem;
  readonly pass: HeldPass;
  readonly partnerId: string | null;
  readonly instanceId: string;
}
