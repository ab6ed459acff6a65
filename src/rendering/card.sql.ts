import type { HolderRow } from '../cards/instance-row.ts';
import type { Db } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import { firstId } from '../kit/ids.ts';
import type { PassKey, PassRow } from '../passes/pass-row.ts';
import type { CardProgram } from './program-fields.ts';

/** Everything that a card shows, in any drawing. */
export interface CardRow
  extends Pick<
    PassRow,
    | 'title'
    | 'type'
    | 'details'
    | 'terms'
    | 'message'
    | 'colors'
    | 'barcodeFormat'
    | 'images'
    | 'locations'
    | 'moreLocations'
    | 'beacons'
    | 'dates'
    | 'actions'
    | 'modules'
    | 'walletOptions'
    | 'stampLook'
    | 'barcodeMode'
    | 'language'
    | 'translations'
  > {
  readonly workspaceId: string;
  readonly instanceId: string;
  readonly passId: string;
  readonly status: 'active' | 'voided';
  readonly barcode: string | null;
  readonly sharedBarcode: string | null;
  readonly fields: Readonly<Record<string, string | null>>;
  readonly expiresAt: Date | null;
  readonly linkSecret: Buffer;
  readonly authenticationToken: string;
  readonly revision: number;
  readonly modifiedAt: Date;
  readonly createdAt: Date;
  readonly erasedAt: Date | null;
  readonly passFields: PassRow['fields'];
  readonly passExpiry: PassRow['expiry'];
  readonly passRevision: number;
  readonly seenPassRevision: number;
  readonly passModifiedAt: Date;
  /** The Last-Modified of the pass file that was handed out last. */
  readonly servedModifiedAt: Date | null;
  /** What that file was of, as `changedAt` has it. */
  readonly servedChangeAt: Date | null;
  readonly organization: string;
  /** The pass type of the workspace's own that signs new passes; null: that of the installation does. */
  readonly ownPassType: string | null;
  /** The issuer of the workspace's own that new cards at Google are of; null: that of the installation. */
  readonly ownIssuerId: string | null;
  /** The key that iPhones encrypt for when a reader asks for the card; null: none may ask. */
  readonly nfcPublicKey: string | null;
  /** The issuers at Google whose readers may ask for it. */
  readonly nfcRedemptionIssuers: readonly string[];
  /** Where the partner is at which it was issued, if its pass has more places than a card shows. */
  readonly home: { readonly latitude: number; readonly longitude: number } | null;
  readonly workspaceLocale: string;
  readonly timezone: string;
  readonly holder: HolderRow | null;
  readonly program: CardProgram | null;
  /** The rollout of `message` where that was to an audience; null where it was to all cards. */
  readonly ownMessageId: string | null;
  /** The newest message to all cards has left them again. */
  readonly hasNewsEnded: boolean;
}

/** Whether the newest message to the card was to an audience, and not to all cards of its pass. */
const hasOwnMessage = sql`(i.message_id is not null and coalesce(i.message_id > p.message_id, true))`;

/** The columns of CardRow. Each part names the workspace itself, so that one server of a cluster answers all of it. */
const viewIn = (workspaceId: string) => sql`
  i.workspace_id, i.instance_id, i.pass_id, i.status, i.barcode, i.fields, i.expires_at, i.link_secret,
  i.authentication_token, i.revision + coalesce(a.seq, 0) as revision, i.served_modified_at, i.served_change_at,
  greatest(i.modified_at, a.shown_at) as modified_at, i.created_at, i.erased_at,
  p.title, p.type, p.details, p.terms, p.colors, p.images, p.barcode_mode, p.barcode_format, p.locations, p.more_locations, p.beacons, p.dates,
  case when p.more_locations > 0 then
    (select location from partners where partner_id = i.partner_id and workspace_id = ${workspaceId})
  end as home,
  p.actions, p.modules, p.wallet_options, p.stamp_look, p.language, p.translations,
  case when i.status = 'voided' then null when ${hasOwnMessage} then i.message else p.message end as message,
  p.message_id is not null and p.message is null as has_news_ended,
  case when ${hasOwnMessage} then i.message_id end as own_message_id, p.barcode_value as shared_barcode, p.fields as pass_fields, p.expiry as pass_expiry,
  p.revision as pass_revision, greatest(i.pass_revision, a.shown_pass_revision) as seen_pass_revision, p.modified_at as pass_modified_at,
  w.name as organization, w.apple_pass_type_identifier as own_pass_type,
  w.google_issuer_id as own_issuer_id, w.nfc_public_key, w.nfc_redemption_issuers, w.locale as workspace_locale, w.timezone,
  case when h.instance_id is not null then
    json_build_object('identifier', h.identifier, 'name', h.name, 'email', h.email, 'phone', h.phone,
      'locale', h.locale)
  end as holder,
  case when g.program_id is not null then
    json_build_object('mode', g.mode, 'currency', g.currency, 'launchedAt', g.launched_at, 'rewardTitle', g.reward_title,
      'rewardCost', g.reward_cost, 'threshold', g.threshold, 'pointName', g.point_name,
      'drawsStamps', g.draws_stamps, 'tiers', g.tiers, 'balance', coalesce(a.balance, 0),
      'lifetimePoints', coalesce(a.lifetime_points, 0),
      'pendingRewards', coalesce(a.pending_rewards, 0),
      'nextExpiry', (
        select json_build_object('points', l.remaining, 'at', l.expires_at)
        from loyalty_lots l
        where l.workspace_id = ${workspaceId} and l.account_id = a.account_id
          and l.expires_at = a.next_expiry_at and l.remaining > 0
      ))
  end as program`;

/** What a card is joined with; `i` is the card. */
const withDesignIn = (workspaceId: string) => sql`
  cross join lateral (select * from passes where pass_id = i.pass_id and workspace_id = ${workspaceId} limit 1) as p
  cross join lateral (select * from workspaces where workspace_id = ${workspaceId} limit 1) as w
  left join lateral (
    select * from holders where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as h on true
  left join lateral (
    select * from programs where program_id = p.program_id and workspace_id = ${workspaceId} limit 1
  ) as g on true
  left join lateral (
    select * from loyalty_accounts where instance_id = i.instance_id and workspace_id = ${workspaceId} limit 1
  ) as a on true`;

/** A card with its design, its issuer, its holder and its program. */
export function findCard(db: Db, workspaceId: string, instanceId: string): Promise<CardRow | undefined> {
  return sql<CardRow>`
    select ${viewIn(workspaceId)} from instances i ${withDesignIn(workspaceId)}
    where i.workspace_id = ${workspaceId} and i.instance_id = ${instanceId}
  `.first(db);
}

/** The card that would be issued at a moment to an unnamed holder, without a barcode of its own. */
export function findNewCard(db: Db, pass: PassKey, at: Date): Promise<CardRow | undefined> {
  return sql<CardRow>`
    select ${viewIn(pass.workspaceId)}
    from (
      select ${pass.workspaceId}::uuid as workspace_id, ${pass.passId}::uuid as pass_id,
        ${firstId}::uuid as instance_id, 'active' as status, null::text as barcode,
        '{}'::jsonb as fields, null::timestamptz as expires_at, ''::bytea as link_secret,
        '' as authentication_token, 0 as revision, 0 as pass_revision, ${at}::timestamptz as modified_at,
        null::timestamptz as served_modified_at, null::timestamptz as served_change_at, ${at}::timestamptz as created_at, null::timestamptz as erased_at,
        null::text as message, null::uuid as message_id, null::uuid as partner_id
    ) i ${withDesignIn(pass.workspaceId)}
  `.first(db);
}

/** Cards of a workspace, in no order. */
export function listCards(db: Db, workspaceId: string, instanceIds: readonly string[]): Promise<CardRow[]> {
  return sql<CardRow>`
    select ${viewIn(workspaceId)}
    from unnest(${instanceIds}::uuid[]) as asked(instance_id)
    cross join lateral (
      select * from instances where instance_id = asked.instance_id and workspace_id = ${workspaceId} limit 1
    ) as i
    ${withDesignIn(workspaceId)}
  `.rows(db);
}
