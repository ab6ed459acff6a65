import { chance, due, idOf, type Step, until } from './shape.ts';

/** What a card has: the newest changes are still on their way to one card of ten, and wait for credits on another. */
const isInstalled = '(has_apple or has_google or has_web)';
const isUnderWay = `(${isInstalled} and ${chance('n', 20, 10)} = 0)`;
const isSkipped = `(${isInstalled} and ${chance('n', 20, 10)} = 1)`;
/** The event of each entry's delivery, and a few more. */
const events = `(2 + case when ${isInstalled} then entries else 0 end)`;

/** A device's id in a workspace. */
const deviceId = "md5('device' || device_id || workspace_id)::uuid";

/** What every version keeps of a holder. */
const holder = `workspace_id, instance_id, pass_id, identifier, name, email, phone, 'en',
  case when not is_voided then true end`;
const fromHolders = `from grown_cards cross join lateral (
    select 'customer-' || n as identifier, 'Holder ' || n as name, case when n % 10 < 7 then n || '@example.com' end as email,
      case when n % 10 > 4 then '+49171' || 1000000 + n end as phone
  ) as h
  where not is_erased`;

/** The rows that are added with each card. */
export const cardSteps: readonly Step[] = [
  {
    table: 'instances',
    insert: `(workspace_id, instance_id, pass_id, status, barcode, addressable, installed, fields, partner_id, metadata,
        link_secret, authentication_token, pass_revision, modified_at, created_at, erased_at, apple_wallets, google_wallets,
        web_wallets)
      select workspace_id, instance_id, pass_id, case when is_voided or is_erased then 'voided' else 'active' end, barcode,
        true, ${isInstalled}, '{}', partner_id, '{}',
        decode(md5('secret' || n), 'hex'), md5('token' || n), 1, created_at, created_at,
        case when is_erased then ${until} end, has_apple::int, has_google::int, has_web::int
      from grown_cards c`,
  },
  {
    table: 'holders',
    insert: `(workspace_id, instance_id, pass_id, identifier, name, email, phone, locale, current, folded_identifier, folded_name,
        folded_email, folded_phone, folding)
      select ${holder}, identifier, lower(name), email, phone, 1 ${fromHolders}`,
    former: {
      lacks: 'holders.folding',
      insert: `(workspace_id, instance_id, pass_id, identifier, name, email, phone, locale, current)
      select ${holder} ${fromHolders}`,
    },
  },
  {
    table: 'instance_events',
    insert: `(workspace_id, instance_id, event_id, kind, detail, created_at)
      select workspace_id, instance_id, ${idOf('at', "'event' || n || '-' || e")},
        case when e = 1 then 'instance.issued' when e = 2 then 'instance.link_opened' else 'push.delivered' end,
        case when e = 1 then jsonb_build_object('op', 'issueInstance', 'key', 'issue-' || n)
          when e = 2 then '{}' else '{"wallet":"apple"}' end, at
      from grown_cards cross join lateral generate_series(1, ${events}) e
      cross join lateral (select created_at + (${until} - created_at) * ((e - 1) / (${events})::double precision) as at) as t`,
  },
  {
    table: 'apple_devices',
    insert: `(workspace_id, device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag,
        due_at, rollout_id, push_from, pushed_at, is_own)
      select distinct on (workspace_id, device_id) workspace_id, ${deviceId}, md5('device' || device_id),
        case w % 5 when 3 then 'pass.dev.punchcard.w' || w || '.1' else 'pass.dev.punchcard.local' end, encode(sha256(convert_to(device_id::text, 'UTF8')), 'hex'), created_at, 1,
        case when ${isUnderWay} then ${due} end,
        case when ${isUnderWay} and k = 1 and w % 10 = 1 then ${idOf(until, "'open' || p")} end, ${until}, null, w % 5 = 3
      from grown_cards where has_apple order by workspace_id, device_id, n
      on conflict (device_id, workspace_id) do nothing`,
    former: {
      lacks: 'apple_device_workspaces',
      insert: `(device_id, device_library_identifier, pass_type_identifier, push_token, registered_at, tag, due_at,
        rollout_id, paced_until, pushed_at)
      overriding system value
      select distinct on (device_id) device_id, md5('device' || device_id), 'pass.dev.punchcard.local',
        encode(sha256(convert_to(device_id::text, 'UTF8')), 'hex'), created_at, 1,
        case when ${isUnderWay} then ${due} end,
        case when ${isUnderWay} and k = 1 and w % 10 = 1 then ${idOf(until, "'open' || p")} end, ${until}, null
      from grown_cards where has_apple order by device_id, n
      on conflict (device_id) do nothing`,
    },
  },
  {
    table: 'apple_device_workspaces',
    insert: `as d (device_library_identifier, pass_type_identifier, workspace_ids)
      select md5('device' || device_id), pass_type, array_agg(distinct workspace_id)
      from grown_cards
      cross join lateral (
        select case w % 5 when 3 then 'pass.dev.punchcard.w' || w || '.1' else 'pass.dev.punchcard.local' end as pass_type
      ) as t
      where has_apple group by device_id, pass_type
      on conflict (device_library_identifier, pass_type_identifier) do nothing`,
  },
  {
    table: 'apple_registrations',
    insert: `(workspace_id, instance_id, device_id, tag, created_at)
      select workspace_id, instance_id, ${deviceId}, 0, created_at from grown_cards where has_apple`,
    former: {
      lacks: 'apple_device_workspaces',
      insert: `(workspace_id, instance_id, device_id, tag, created_at)
        select workspace_id, instance_id, device_id, 0, created_at from grown_cards where has_apple`,
    },
  },
  {
    table: 'google_objects',
    insert: `(workspace_id, instance_id, content, saved, due_at, issuer_id, is_own)
      select workspace_id, instance_id, sha256(uuid_send(instance_id)), true, case when ${isUnderWay} then ${due} end,
        case w % 5 when 3 then '3388000000000' || w end, w % 5 = 3
      from grown_cards where has_google`,
    former: {
      lacks: 'google_objects.issuer_id',
      insert: `(workspace_id, instance_id, content, saved, due_at)
      select workspace_id, instance_id, sha256(uuid_send(instance_id)), true, case when ${isUnderWay} then ${due} end
      from grown_cards where has_google`,
    },
  },
  {
    table: 'web_cards',
    insert: `(workspace_id, instance_id, viewer_id, push_endpoint, expires_at, due_at)
      select workspace_id, instance_id, ${idOf('created_at', "'viewer' || n")},
        case when n % 2 = 0 then 'https://push.example.com/' || md5(n::text) end, 
        case when n % 2 = 0 then 'infinity' else ${due} + n % 7200 * interval '1 second' end, case when ${isUnderWay} then ${due} end
      from grown_cards where has_web`,
  },
  {
    table: 'pushes',
    insert: `(workspace_id, instance_id, credits, skipped_at, rolled_out, apple, google, web, created_at)
      select workspace_id, instance_id, ${isUnderWay}::int, case when ${isSkipped} then ${until} - n % 1000 * interval '1 minute' end,
        false, has_apple and ${isUnderWay}, has_google and ${isUnderWay}, has_web and ${isUnderWay},
        ${until} - n % 1000 * interval '1 minute'
      from grown_cards where ${isUnderWay} or ${isSkipped}`,
  },
  {
    table: 'operation_claims',
    insert: `(workspace_id, operation, key, fingerprint, request_id, status, body)
      select workspace_id, 'issueInstance', 'issue-' || n, sha256(uuid_send(instance_id)), md5(n::text), 201,
        -- An answer without what it would compress to.
        (select string_agg(md5(n || 'answer' || part), '') from generate_series(1, 33) part)
      from grown_cards`,
  },
  {
    table: 'invites',
    insert: `(workspace_id, invite_id, pass_id, sweep_id, store_id, email, name, locale, identifier, email_hash, link_secret,
        status, due_at, instance_id, created_at, sent_at, accepted_at)
      select c.workspace_id, ${idOf('c.created_at', "'invite' || n")}, c.pass_id, s.sweep_id, s.store_id,
        n || '@example.com', 'Holder ' || n, 'en', case when s.store_id is not null then 'customer-' || n end,
        sha256(convert_to(c.p || 'invited' || n, 'UTF8')), decode(md5('invite' || n), 'hex'), t.status,
        case when t.status = 'queued' then ${due} end, case when n % 4 = 0 then instance_id end, c.created_at,
        case when t.status = 'sent' then c.created_at end, case when n % 4 = 0 then c.created_at end
      from grown_cards c
      cross join lateral (
        select case ${chance('n', 22, 20)} when 0 then 'queued' when 1 then 'failed' when 2 then 'unknown'
          when 3 then 'suppressed' else 'sent' end as status
      ) as t
      left join lateral (
        select sweep_id, store_id from sweeps s
        where s.workspace_id = c.workspace_id and s.pass_id = c.pass_id and n % 4 <> 0 order by sweep_id limit 1
      ) as s on true
      where n % 2 = 0`,
  },
  {
    table: 'consents',
    insert: `(workspace_id, consent_id, instance_id, key, text, agreed, created_at)
      select workspace_id, ${idOf('created_at', "'consent' || n || '-' || place")}, instance_id, 'consent_' || place,
        'I agree to be written to.', place = 1, created_at
      from grown_cards cross join generate_series(1, 2) as place where n % 3 = 0 and not is_erased`,
  },
  {
    table: 'join_proofs',
    insert: `(workspace_id, proof_id, pass_id, link_secret, email_hash, person, created_at, expires_at)
      select workspace_id, ${idOf('created_at', "'proof' || n")}, pass_id, decode(md5('proof' || n), 'hex'),
        sha256(convert_to(workspace_id || 'proof' || n, 'UTF8')), '{"email":"ada@example.com","fields":{},"consents":[]}',
        ${until}, ${until}::timestamptz + (n % 1440) * interval '1 minute'
      from grown_cards where n % 20 = 0`,
  },
  {
    table: 'pool_barcodes',
    insert: `(workspace_id, pass_id, barcode, instance_id, assigned_at)
      select workspace_id, pass_id, barcode, instance_id, created_at from grown_cards where has_pool order by n`,
  },
  {
    table: 'store_webhooks',
    insert: `(workspace_id, store_id, webhook_id, delivery_id, topic, body, received_at, due_at)
      select workspace_id, store_id, ${idOf('at', "'webhook' || n")}, 'delivery-' || n, 'orders/updated',
        case when n % 20 in (1, 11) then convert_to(repeat(md5(n::text), 40), 'UTF8') end, at,
        case when n % 20 = 1 then ${due} end
      from (
        select *, ${until} - (n % 3000) * interval '14 minutes' as at,
          (select s.store_id from stores s where s.workspace_id = c.workspace_id) as store_id
        from (select workspace_id, n from grown_cards) as c where n % 5 = 1
      ) as received`,
  },
];
