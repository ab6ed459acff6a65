import type { OperatorCtx } from '../../context.ts';
import { encodeId } from '../../kit/ids.ts';
import type { Finding } from '../../wallet/apple/certificates/inspect-identity.ts';
import { explainApple } from './explain-apple.ts';
import { explainCard } from './explain-card.ts';
import { explainGoogle } from './explain-google.ts';
import { explainHolding } from './explain-holding.ts';
import { explainPushes } from './explain-pushes.ts';
import { explainWeb } from './explain-web.ts';
import { gatherFacts } from './gather-facts.ts';

/** What was found out about a card, and whose it is. */
export interface Diagnosis {
  readonly instanceId: string;
  readonly workspaceId: string;
  readonly findings: Finding[];
}

/**
 * Why a phone does not show an update of a card: everything on the way from the card to the phone, in this order, with
 * what to do about it. An `error` stays until somebody does it, a `warning` delays or may pass. It names no device and
 * no secret. Raises `instance_not_found`.
 */
export async function diagnoseCard(ctx: OperatorCtx, input: { instanceId: string }): Promise<Diagnosis> {
  const facts = await gatherFacts(ctx, input.instanceId);
  return {
    instanceId: encodeId('inst', facts.card.instanceId),
    workspaceId: encodeId('ws', facts.card.workspaceId),
    findings: [
      ...explainCard(facts),
      ...explainHolding(facts),
      ...explainPushes(facts),
      ...explainApple(facts),
      ...explainGoogle(facts),
      ...explainWeb(facts),
    ],
  };
}
