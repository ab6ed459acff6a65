import { findInstance } from '../cards/find-instance.ts';
import type { KeyCtx, OperatorCtx } from '../context.ts';
import { encodeId } from '../kit/ids.ts';
import { readable } from '../kit/time.ts';
import { inspectIdentity } from '../wallet/apple/certificates/inspect-identity.ts';
import { mayServeDevices } from '../wallet/apple/pass-json.ts';
import { askOperator, type CardFinding } from './card-finding.ts';
import { presentFinding, presentOwnFinding } from './diagnosis.schema.ts';
import { explainApple } from './explain-apple.ts';
import { explainGoogle } from './explain-google.ts';
import { explainHolding } from './explain-holding.ts';
import { explainPushes } from './explain-pushes.ts';
import { explainWeb } from './explain-web.ts';
import { type Facts, gatherFacts } from './gather-facts.ts';

/**
 * Why a phone does not show an update of a card: everything on the way from the card to the phone, in this order, with
 * what to do about it. An `error` stays until a person does it, a `warning` delays or may pass. It names no device and
 * no secret. Raises `instance_not_found`.
 */
export async function diagnoseCard(ctx: OperatorCtx, input: { instanceId: string }) {
  const facts = await gatherFacts(ctx, input.instanceId, null);
  return {
    instanceId: encodeId('inst', facts.card.instanceId),
    workspaceId: encodeId('ws', facts.card.workspaceId),
    findings: findingsOf(facts).map(presentFinding),
  };
}

/**
 * The same for the owner of the pass: about the operator's own settings it only says that there is a problem. Raises what
 * `findInstance` does.
 */
export async function diagnoseOwnCard(ctx: KeyCtx, { instanceId }: { instanceId: string }) {
  await findInstance(ctx.app.database.db, ctx, instanceId);
  const facts = await gatherFacts(ctx, instanceId, ctx.workspaceId);
  return { instanceId, findings: findingsOf(facts).map(presentOwnFinding) };
}

function findingsOf(facts: Facts): CardFinding[] {
  return [
    ...explainCard(facts),
    ...explainHolding(facts),
    ...explainPushes(facts),
    ...explainApple(facts),
    ...explainGoogle(facts),
    ...explainWeb(facts),
  ];
}

/** What stands before any push: the card, its pass, the address that phones are given, the certificate. */
function explainCard(facts: Facts): CardFinding[] {
  const { app, now, issuer, issuers } = facts;
  const { installation } = app.appleIssuers;
  const signers = new Set([issuer, ...issuers.values()].filter((one) => one !== undefined));
  return [
    stateOf(facts),
    ...passOf(facts),
    ...addressOf(app.config.publicUrl),
    ...[...signers].flatMap((one) =>
      inspectIdentity(one.identity, now, one !== installation)
        .filter(({ level }) => level !== 'ok')
        .map((finding) => ({
          ...finding,
          code: 'certificate' as const,
          ...(one === installation && { own: certificateOfService }),
        })),
    ),
  ];
}

const certificateOfService = {
  what: 'The certificate that the service signs cards with is not in order',
  advice: askOperator,
};

function stateOf({ card }: Facts): CardFinding {
  if (card.erasedAt !== null) {
    return {
      level: 'error',
      code: 'card_erased',
      at: card.erasedAt,
      what: `The card was erased on ${readable(card.erasedAt)}: it stays void and shows no more changes`,
      advice: 'Issue a new card to the holder.',
    };
  }
  if (card.status === 'voided') {
    return {
      level: 'warning',
      code: 'card_voided',
      what: 'The card is voided: wallets show it as void, and its fields cannot be changed',
      advice: 'Reactivate it with POST /instances/{instanceId}/reactivate if that was not meant.',
    };
  }
  if (!card.addressable) {
    return {
      level: 'warning',
      code: 'card_imported',
      what: 'The card was imported: wallets got it from another system, and it asks that one for changes',
      advice: 'The holder adds the card again through its link; the old copy can then be removed.',
    };
  }
  return { level: 'ok', code: 'card_active', what: 'The card is active' };
}

function passOf({ card: { passStatus } }: Facts): CardFinding[] {
  if (passStatus === 'published') return [];
  const state = passStatus === 'draft' ? 'a draft' : 'archived';
  return [
    {
      level: 'ok',
      code: 'pass_not_published',
      what: `Its pass is ${state}; cards that exist work all the same`,
    },
  ];
}

function addressOf(publicUrl: string): CardFinding[] {
  if (publicUrl.startsWith('https://')) return [];
  const isOwnHost = mayServeDevices(publicUrl);
  return [
    {
      level: isOwnHost ? 'warning' : 'error',
      code: 'service_address',
      own: {
        what: 'The address of the service is not https: phones do not ask it for changes',
        advice: askOperator,
      },
      what: `PUBLIC_URL is ${publicUrl}, not https: ${isOwnHost ? 'only a simulated phone registers' : 'phones never register'}`,
      advice:
        'Set PUBLIC_URL to the https address in front of the service and restart. Cards that were added before must be added again: they have the old address.',
    },
  ];
}
