import type { App, OperatorCtx } from '../../context.ts';
import { type DiagnosedDevice, diagnosedDevices } from '../apple/diagnosed-devices.ts';
import { freeCredits } from '../credits/hold-credits.ts';
import { type DiagnosedObject, diagnosedObject } from '../google/diagnosed-object.ts';
import { type DiagnosedCard, type DiagnosedEvent, diagnosedCard } from '../instances/diagnosed-card.ts';
import { type DiagnosedWebCard, diagnosedWebCards } from '../webcard/diagnosed-web-cards.ts';
import {
  type DiagnosedPush,
  type DiagnosedRollout,
  findDiagnosedPush,
  listDiagnosedRollouts,
} from './diagnosis.sql.ts';
import type { WalletName } from './pushes.sql.ts';
import { listStops, type WalletStop } from './wallet-stops.sql.ts';
import { scopesOf } from './wallet-stops.ts';

/** Everything that can keep a change of a card from being shown, as of one moment. */
export interface Facts {
  readonly app: App;
  readonly now: Date;
  readonly card: DiagnosedCard;
  /** The newest of each kind and wallet, newest first. */
  readonly events: readonly DiagnosedEvent[];
  readonly devices: readonly DiagnosedDevice[];
  readonly object: DiagnosedObject | null;
  readonly webCards: readonly DiagnosedWebCard[];
  readonly push: DiagnosedPush | null;
  readonly rollouts: readonly DiagnosedRollout[];
  readonly stops: readonly WalletStop[];
  readonly credits: number;
}

/** Reads what is known of a card, by its public id and whoever owns it. Raises `instance_not_found`. */
export async function gatherFacts({ app }: OperatorCtx, publicId: string): Promise<Facts> {
  const { db } = app.database;
  const now = app.now();
  const { card, events } = await diagnosedCard(db, publicId);
  const devices = await diagnosedDevices(db, card);
  const awaited = devices.flatMap(({ rolloutId }) => rolloutId ?? []);
  return {
    app,
    now,
    card,
    events,
    devices,
    object: await diagnosedObject(db, card),
    webCards: await diagnosedWebCards(db, card, now),
    push: (await findDiagnosedPush(db, card)) ?? null,
    rollouts: await listDiagnosedRollouts(db, card, awaited),
    stops: await listStops(db, scopesOf(app)),
    credits: await freeCredits(db, card.workspaceId),
  };
}

/** The last event of that kind, of one wallet if told; undefined when there was none. */
export function lastOf(
  { events }: Pick<Facts, 'events'>,
  kind: DiagnosedEvent['kind'],
  wallet?: WalletName,
): DiagnosedEvent | undefined {
  return events.find(
    (event) => event.kind === kind && (wallet === undefined || event.detail.wallet === wallet),
  );
}
