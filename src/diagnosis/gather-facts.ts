import { instanceNotFound } from '../cards/find-instance.ts';
import type { App, PublicCtx } from '../context.ts';
import { freeCredits } from '../credits/credits.ts';
import type { GoogleIssuer } from '../delivery/google/google-issuer.ts';
import { watchedForMs } from '../delivery/web/keep-viewer.ts';
import { decodeId } from '../kit/ids.ts';
import type { WalletName } from '../pushes/pushes.sql.ts';
import { listStops, type WalletStop } from '../pushes/wallet-stops.sql.ts';
import { fieldsOnPhone } from '../rendering/apple-content.ts';
import type { AppleField } from '../wallet/apple/card.ts';
import type { AppleIssuer } from '../wallet-credentials/apple-issuers.ts';
import {
  type DiagnosedCard,
  type DiagnosedDevice,
  type DiagnosedEvent,
  type DiagnosedObject,
  type DiagnosedPush,
  type DiagnosedRollout,
  type DiagnosedWebCard,
  findDiagnosed,
  findDiagnosedObject,
  findDiagnosedPush,
  listDiagnosedDevices,
  listDiagnosedRollouts,
  listDiagnosedWebCards,
  listNewestEvents,
} from './diagnosis.sql.ts';

/** Everything that can keep a change of a card from being shown, as of one moment. */
export interface Facts {
  readonly app: App;
  readonly now: Date;
  readonly card: DiagnosedCard;
  /** The newest of each kind and wallet, newest first. */
  readonly events: readonly DiagnosedEvent[];
  /** What the card shows on a phone. */
  readonly fields: readonly AppleField[];
  readonly devices: readonly DiagnosedDevice[];
  /** Who signs the card for a new device, and by pass type for those that hold it; undefined where no issuer is left. */
  readonly issuer: AppleIssuer;
  readonly issuers: ReadonlyMap<string, AppleIssuer | undefined>;
  /** Whose card it is at Google, or would be; undefined where neither the workspace nor the operator has an account there. */
  readonly googleIssuer: GoogleIssuer | undefined;
  readonly object: DiagnosedObject | null;
  readonly webCards: readonly DiagnosedWebCard[];
  readonly push: DiagnosedPush | null;
  readonly rollouts: readonly DiagnosedRollout[];
  readonly stops: readonly WalletStop[];
  readonly credits: number;
}

/** A link that was passed on can be on any number of devices; the newest are enough. */
const most = { reports: 5, devices: 10, webCards: 10 };

/** Reads what is known of a card, by its public id: of one workspace, or of any for the operator. Raises `instance_not_found`. */
export async function gatherFacts(
  ctx: PublicCtx,
  publicId: string,
  workspaceId: string | null,
): Promise<Facts> {
  const { app } = ctx;
  const { db } = app.database;
  const now = app.now();
  const instanceId = decodeId('inst', publicId);
  const card = instanceId === null ? undefined : await findDiagnosed(db, { instanceId, workspaceId });
  if (card === undefined) throw instanceNotFound(`the id "${publicId.slice(0, 40)}"`);
  const devices = await listDiagnosedDevices(db, card, most.devices);
  const { appleIssuers } = app;
  const issuer = await appleIssuers.ofNew(card.workspaceId, card.ownPassType);
  const issuers = new Map<string, AppleIssuer | undefined>();
  for (const { passTypeIdentifier } of devices)
    issuers.set(passTypeIdentifier, await appleIssuers.find(card.workspaceId, passTypeIdentifier));
  const scopes = [...issuers.values(), appleIssuers.installation].flatMap((one) => one?.scope ?? []);
  const object = (await findDiagnosedObject(db, card)) ?? null;
  const ownIssuerId = object === null ? card.ownIssuerId : object.ownIssuerId;
  const googleIssuer = await app.googleIssuers.find(card.workspaceId, ownIssuerId);
  const googleScopes = googleIssuer === undefined ? [] : [googleIssuer.scope];
  const awaited = devices.flatMap(({ rolloutId }) => rolloutId ?? []);
  return {
    app,
    now,
    card,
    events: await listNewestEvents(db, card, most.reports),
    fields: await fieldsOnPhone(ctx, card),
    devices,
    issuer,
    issuers,
    googleIssuer,
    object,
    webCards: await listDiagnosedWebCards(db, card, {
      now,
      openUntil: new Date(now.getTime() + watchedForMs),
      limit: most.webCards,
    }),
    push: (await findDiagnosedPush(db, card)) ?? null,
    rollouts: await listDiagnosedRollouts(db, card, awaited),
    stops: await listStops(db, { apple: scopes, google: googleScopes }),
    credits: await freeCredits(db, card.workspaceId),
  };
}

/** The last event of that kind, of one wallet if given; undefined when there was none. */
export function lastOf(
  { events }: Pick<Facts, 'events'>,
  kind: DiagnosedEvent['kind'],
  wallet?: WalletName,
): DiagnosedEvent | undefined {
  return events.find(
    (event) => event.kind === kind && (wallet === undefined || event.detail.wallet === wallet),
  );
}
