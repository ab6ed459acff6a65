import { due, idOf, partnerIdOf, type Step, until } from './shape.ts';

const days = (count: string) => `${until} - (${count}) * interval '1 day'`;
const eachWorkspace = 'from grown_workspaces';
/** As many rows of each workspace as its part of all cards allows for, and one at least. */
const share = (perCard: number, most = 100_000) =>
  `${eachWorkspace} cross join lateral generate_series(1, least(${most}, greatest(1, cards * ${perCard}))::int) n`;

/** When the event of a number was made: they are kept for 30 days, and the oldest are not yet due to be deleted. */
const eventAt = days('29.0 * (1 - n / greatest(1.0, cards))');

const personId = idOf('created_at', "'person' || w || '-' || n");
const address = "'person-' || w || '-' || n || '@example.com'";
const member = `${personId}, workspace_id, ${address}, 'Alex', 'owner', created_at`;
const members = share(0.0002, 50);
/** Half of the people were invited, and have not joined yet. */
const isInvited = '(w + n) % 2 = 0';

/** What belongs to workspaces and passes: a few rows of each. */
export const tenantSteps: readonly Step[] = [
  {
    table: 'workspaces',
    insert: `(workspace_id, name, plan, created_at)
      select workspace_id, 'Workspace ' || w, 'pro', created_at ${eachWorkspace}`,
  },
  {
    table: 'api_keys',
    insert: `(workspace_id, key_id, name, access, created_at, last_used_at)
      select workspace_id, ${idOf('created_at', "'key' || w || '-' || n")}, 'Key ' || n, 'full', created_at, ${until}
      ${share(0.0002, 50)}`,
  },
  {
    table: 'api_key_secrets',
    insert: `(secret_hash, workspace_id, key_id)
      select sha256(uuid_send(key_id)), workspace_id, key_id from api_keys`,
  },
  {
    table: 'people',
    insert: `(person_id, home_id, email, created_at)
      select ${personId}, case when ${isInvited} then workspace_id end, ${address}, created_at ${members}`,
  },
  {
    table: 'memberships',
    insert: `(person_id, workspace_id, email, name, role, created_at, pending) select ${member}, ${isInvited} ${members}`,
    former: {
      lacks: 'memberships.pending',
      insert: `(person_id, workspace_id, email, name, role, created_at) select ${member} ${members}`,
    },
  },
  {
    table: 'sessions',
    insert: `(session_id, secret_hash, person_id, signed_in_at, last_used_at, expires_at)
      select ${idOf('created_at', "'session' || person_id")}, sha256(uuid_send(person_id)), person_id, created_at,
        created_at, ${until}
      from people`,
  },
  {
    table: 'devices',
    insert: `(device_id, workspace_id, name, secret_hash, created_at)
      select person_id, workspace_id, 'Till', sha256(uuid_send(person_id)), created_at from memberships`,
  },
  {
    table: 'sign_in_links',
    insert: `(secret_hash, person_id, expires_at) select sha256(uuid_send(person_id)), person_id, ${until} from people`,
  },
  {
    table: 'passkeys',
    insert: `(passkey_id, person_id, credential_id, public_key, sign_count, name, created_at)
      select person_id, person_id, uuid_send(person_id), uuid_send(person_id), 0, 'Telephone', created_at from people`,
  },
  {
    table: 'oidc_identities',
    insert: `(issuer, subject, person_id, created_at)
      select 'https://login.example.com', person_id::text, person_id, created_at from people`,
  },
  {
    table: 'used_challenges',
    insert: `(challenge_hash, expires_at) select sha256(uuid_send(person_id)), ${until} from people`,
  },
  {
    table: 'partners',
    insert: `(workspace_id, partner_id, name, external_id, metadata, created_at, updated_at)
      select workspace_id, ${partnerIdOf('n')}, 'Branch ' || n, 'branch-' || n, '{}', opened_at, opened_at
      from (select *, created_at as opened_at from grown_workspaces) as w cross join lateral generate_series(1, partners) n`,
  },
  {
    table: 'stores',
    insert: `(workspace_id, store_id, platform, domain, pass_id, credentials, webhook_secrets, follows_edits, connected_at,
        watermark, reconcile_at, reconciled_at, created_at, updated_at)
      select workspace_id, store_id, 'shopify', 'shop-' || w || '.example.com', pass_id, 'x', 'x', false, created_at,
        ${until}, ${due} + w % 16 * interval '6 hours', ${until}, created_at, created_at
      from grown_passes where k = 1`,
  },
  {
    table: 'passes',
    insert: `(workspace_id, pass_id, title, type, status, expiry, fields, colors, barcode_mode, barcode_format,
        locations, metadata, modified_at, created_at, updated_at, program_id, images)
      select workspace_id, pass_id, 'Pass ' || k, case when has_program then 'loyalty' else 'coupon' end, 'published',
        '{"kind":"none"}', '[]', '{"background":null,"foreground":null,"label":null}',
        case when has_pool then 'pool' else 'unique' end, 'qr', '[]', '{}', created_at, created_at, created_at, program_id,
        jsonb_build_object('iconUrl', jsonb_build_object('url', 'https://images.example.com/icon.png', 'shown', icon.shown,
          'files', jsonb_build_object('icon.png', icon.shown)))
      from grown_passes cross join lateral (
        select jsonb_build_object('hash', encode(sha256(uuid_send(pass_id)), 'hex'), 'width', 87, 'height', 87) as shown
      ) as icon`,
  },
  {
    table: 'pass_places',
    insert: `(workspace_id, pass_id, locations, texts)
      select workspace_id, pass_id, (
        select jsonb_agg(jsonb_build_object('latitude', n / 10.0, 'longitude', 13)) from generate_series(1, 300) n
      ), '{}'
      from grown_passes where k = 1`,
  },
  {
    table: 'image_files',
    insert: `(workspace_id, hash, bytes, width, height, kept_at)
      select workspace_id, encode(sha256(uuid_send(pass_id)), 'hex'), uuid_send(pass_id), 87, 87, created_at
      from grown_passes`,
  },
  {
    table: 'image_uploads',
    insert: `(workspace_id, hash, bytes, size, width, height, kept_until)
      select workspace_id, encode(sha256(uuid_send(pass_id)), 'hex'), uuid_send(pass_id), 16, 87, 87, created_at + interval '3 days'
      from grown_passes`,
  },
  {
    table: 'programs',
    insert: `(workspace_id, program_id, pass_id, mode, status, reward_title, reward_cost, threshold, earn, expiry_months,
        refund_policy, point_name, draws_stamps, launched_at, created_at, updated_at)
      select workspace_id, program_id, pass_id, case when in_points then 'POINTS' else 'STAMPS' end, 'active', 'Free coffee',
        case when in_points then 30 end, case when not in_points then 3 end,
        json_build_object('perCurrencyUnit', 0, 'perOrder', case when in_points then 10 else 1 end, 'minOrder', null), expiry_months, 'debt', '{"one":"point","other":"points"}',
        false, created_at, created_at, created_at
      from grown_passes where has_program`,
  },
  {
    table: 'program_states',
    insert: `(workspace_id, program_id, state_id, status, actor, changed_at)
      select workspace_id, program_id, ${idOf('created_at', "'state' || p")}, 'active', 'operator', created_at
      from grown_passes where has_program`,
  },
  {
    table: 'join_days',
    insert: `(workspace_id, pass_id, day, joined)
      select workspace_id, pass_id, (${until}::timestamptz at time zone 'UTC')::date - n, 20
      from grown_passes cross join generate_series(0, 2) n`,
  },
  {
    table: 'google_classes',
    insert:
      '(workspace_id, pass_id, content) select workspace_id, pass_id, sha256(uuid_send(pass_id)) from grown_passes',
  },
  {
    table: 'google_own_classes',
    insert: `(workspace_id, pass_id, issuer_id, content)
      select workspace_id, pass_id, '3388000000000' || w, sha256(uuid_send(pass_id)) from grown_passes`,
  },
  {
    table: 'google_identities',
    insert: `(workspace_id, issuer_id, client_email, service_account, retired_at, created_at, updated_at)
      select workspace_id, '3388000000000' || case n when 2 then '9' else '' end || w, 'shop@example.com', 'x',
        case n when 2 then created_at end, created_at, created_at
      ${eachWorkspace} cross join generate_series(1, 2) n`,
  },
  {
    table: 'rollouts',
    insert: `(workspace_id, rollout_id, pass_id, kind, cards, done, stage, release_at, walked_at, created_at, finished_at)
      select workspace_id, ${idOf(days('n'), "'rollout' || p || '-' || n")}, pass_id, 'design', cards, cards, 'finished',
        ${days('n')}, ${days('n')}, ${days('n')}, ${days('n')}
      from grown_passes cross join generate_series(1, 10) n`,
  },
  {
    table: 'rollouts',
    insert: `(workspace_id, rollout_id, pass_id, kind, cards, stage, release_at, walked_at, created_at)
      select workspace_id, ${idOf(until, "'open' || p")}, pass_id, 'design', cards, 'devices', ${due}, ${due}, ${until}
      from grown_passes where k = 1 and w % 10 = 1`,
  },
  {
    table: 'rollouts',
    insert: `(workspace_id, rollout_id, pass_id, kind, cards, done, stage, message, audience, release_at, walked_at, created_at,
        finished_at)
      select workspace_id, ${idOf(days('n * 7'), "'message' || p || '-' || n")}, pass_id, 'message', cards, cards, 'finished',
        'News ' || n, case when n % 2 = 0 then '{"installed":"apple"}'::jsonb end, ${days('n * 7')}, ${days('n * 7')},
        ${days('n * 7')}, ${days('n * 7')}
      from grown_passes cross join generate_series(1, 50) n`,
    former: {
      lacks: 'rollouts.message',
      insert: `(workspace_id, rollout_id, pass_id, kind, cards, done, stage, release_at, walked_at, created_at, finished_at)
        select workspace_id, ${idOf(days('n * 7'), "'message' || p || '-' || n")}, pass_id, 'message', cards, cards, 'finished',
          ${days('n * 7')}, ${days('n * 7')}, ${days('n * 7')}, ${days('n * 7')}
        from grown_passes cross join generate_series(1, 50) n`,
    },
  },
  {
    table: 'planned_messages',
    insert: `(workspace_id, message_id, pass_id, message, audience, send_at, due_at, state, request_id, actor, created_at)
      select workspace_id, ${idOf(days('n * 7'), "'planned' || p || '-' || n")}, pass_id, 'News ' || n,
        case when n % 2 = 0 then '{"installed":"apple"}'::jsonb end, ${days('n * 7')},
        case when n = 1 and w % 10 = 1 then ${due} end, case when n = 1 and w % 10 = 1 then 'planned' else 'cancelled' end,
        'req_' || n, 'key_' || repeat('0', 26), ${days('n * 7')}
      from grown_passes cross join generate_series(1, 10) n`,
  },
  {
    table: 'message_deliveries',
    insert: `(workspace_id, rollout_id, delivered, failed)
      select workspace_id, rollout_id, done, 0 from rollouts where kind = 'message'`,
  },
  {
    table: 'suppressions',
    insert: `(workspace_id, email_hash, reason, created_at)
      select workspace_id, sha256(convert_to(w || 'gone' || n, 'UTF8')), 'unsubscribed', ${days('n % 700')} ${share(0.02)}`,
  },
  {
    table: 'audit_log',
    insert: `(workspace_id, audit_id, action, actor, target, detail, request_id, created_at)
      select workspace_id, ${idOf(days('n / 200.0'), "'audit' || w || '-' || n")}, 'adjustPoints', 'key_' || repeat('0', 26),
        'inst_' || n, '{"points":5,"reason":"goodwill"}', md5(n::text), ${days('n / 200.0')}
      ${share(0.3)}`,
  },
  {
    table: 'event_log',
    insert: `(workspace_id, seq, event_id, type, actor, request_id, data, previous, created_at)
      select workspace_id, n, ${idOf(eventAt, "'event' || w || '-' || n")},
        (array['points.awarded', 'instance.updated', 'push.delivered'])[1 + n % 3], 'system', md5(n::text),
        '{"points":5}', '{}', ${eventAt}
      ${share(1)}`,
  },
  {
    table: 'event_counters',
    insert: `(workspace_id, last_seq, trim_at, follow_at)
      select workspace_id, max(seq), ${until}, ${due} from event_log group by workspace_id`,
  },
  {
    table: 'statistics_cursors',
    insert: `(workspace_id, counted_seq, sent_seq, counts_from) select workspace_id, last_seq, last_seq, ${until} from event_counters`,
  },
  {
    table: 'statistics_walks',
    insert: `(workspace_id, pass_id, stage, due_at) select workspace_id, pass_id, 'accounts', ${due} from grown_passes`,
  },
  {
    table: 'statistics_days',
    insert: `(workspace_id, pass_id, partner_id, day, kind, happened, points_in, points_out)
      select workspace_id, pass_id, '00000000-0000-0000-0000-000000000000', (${days('n')})::date, kind, 5, 50, 0
      from grown_passes cross join generate_series(1, 100) n cross join unnest('{earn,issued,installed}'::text[]) as kind`,
  },
  {
    table: 'statistics_active',
    insert: `(workspace_id, pass_id, unit, begins, cards)
      select workspace_id, pass_id, 'day', (${days('n')})::date, 5 from grown_passes cross join generate_series(1, 100) n`,
  },
  {
    table: 'statistics_visitors',
    insert: `(workspace_id, pass_id, visit, day, cards)
      select workspace_id, pass_id, visit, (${days('n')})::date, 5
      from grown_passes cross join generate_series(1, 100) n cross join unnest('{first,last}'::text[]) as visit`,
  },
  {
    table: 'statistics_cards',
    insert: `(workspace_id, instance_id, first_day, last_day)
      select workspace_id, ${idOf(eventAt, "'active' || w || '-' || n")}, (${eventAt})::date, (${eventAt})::date ${share(1)}`,
  },
  {
    table: 'request_log',
    insert: `(workspace_id, log_id, request_id, method, path, op, status, actor, ms, created_at)
      select workspace_id, ${idOf(eventAt, "'request' || w || '-' || n")}, md5(n::text), 'POST', '/loyalty/points', 'earnPoints',
        case n % 20 when 0 then 409 else 200 end, 'key_' || repeat('0', 26), 5, ${eventAt}
      ${share(1)}`,
  },
  {
    table: 'webhooks',
    insert: `(workspace_id, webhook_id, url, types, payload, status, secrets, created_at, updated_at)
      select workspace_id, ${idOf('created_at', "'hook' || w || '-' || n")}, 'https://hooks.example.com/' || n, '{*}', 'full',
        'active', 'x', created_at, created_at
      ${eachWorkspace} cross join generate_series(1, 2) n`,
  },
  {
    table: 'webhook_deliveries',
    insert: `(webhook_id, delivery_id, workspace_id, event_id, type, status, due_at, is_retry, is_single, tries, attempts,
        created_at)
      select webhook_id, md5(event_id::text || webhook_id::text)::uuid, workspace_id, event_id, type,
        case seq % 20 when 0 then 'waiting' when 1 then 'failed' else 'delivered' end,
        case when seq % 20 = 0 then ${due} end, seq % 40 = 0, false, 0, '[{"status":200}]', e.created_at
      from event_log e join webhooks using (workspace_id)`,
  },
  {
    table: 'webhook_claims',
    insert: `(workspace_id, from_seq, webhook_ids, to_seqs, due_at)
      select workspace_id, 1, array_agg(webhook_id), array_agg(20), ${due} from webhooks group by workspace_id`,
  },
  {
    table: 'apple_identities',
    insert: `(workspace_id, pass_type_identifier, team_identifier, certificate, intermediate, private_key, expires_at,
        retired_at, created_at, updated_at)
      select workspace_id, 'pass.dev.punchcard.w' || w || '.' || n, 'TEAM123456', 'x', 'x', 'x', ${until} + '180 days',
        case n when 2 then created_at end, created_at, created_at
      ${eachWorkspace} cross join generate_series(1, 2) n`,
  },
  {
    table: 'apple_signing_keys',
    insert: `(workspace_id, key_hash, private_key, created_at)
      select workspace_id, sha256(convert_to(w || '-' || n, 'UTF8')), 'x', created_at + n * interval '1 day'
      ${eachWorkspace} cross join generate_series(1, 3) n`,
  },
  {
    // The last one is of this night: no recount is due for a day.
    table: 'ledger_audits',
    insert: `(workspace_id, audit_id, accounts, entries, findings, started_at, finished_at)
      select workspace_id, ${idOf(days('n - 1'), "'nightly' || w || '-' || n")}, cards, cards * 10, '[]', ${days('n - 1')},
        ${days('n - 1')}
      ${eachWorkspace} cross join generate_series(1, least(400, 20 + cards / 20)) n`,
  },
  {
    table: 'ledger_recounts',
    insert: `(workspace_id, stage, started_at, turn_at)
      select workspace_id, 'accounts', ${until}, ${due} ${eachWorkspace} where w % 20 = 1`,
  },
  {
    table: 'credit_flushes',
    insert: `(workspace_id, requested_at, walked_at) select workspace_id, ${until}, ${due} ${eachWorkspace} where w % 10 = 1`,
  },
  {
    table: 'erasure_walks',
    insert: `(workspace_id, pass_id, erased_before, due_at) select workspace_id, pass_id, ${until}, ${due} from grown_passes`,
  },
  {
    table: 'unlock_walks',
    insert: `(workspace_id, program_id, pass_id, due_at)
      select workspace_id, program_id, pass_id, ${due} from programs where mode = 'STAMPS'`,
  },
  {
    table: 'privacy_requests',
    insert: `(workspace_id, request_id, store_id, topic, subject, instance_ids, received_at, due_at, done_at)
      select workspace_id, ${idOf(days('n % 700'), "'privacy' || w || '-' || n")},
        (select store_id from stores s where s.workspace_id = g.workspace_id),
        case when n % 3 = 0 then 'data_request' else 'customer_redact' end,
        jsonb_build_object('customerId', n::text), '{}', ${days('n % 700')}, case when n % 50 = 1 then ${due} end,
        case when n % 50 <> 1 then ${days('n % 700')} end
      ${share(0.005).replace('grown_workspaces', 'grown_workspaces g')}`,
  },
  {
    table: 'sweeps',
    insert: sweepsWith('due_at'),
    former: { lacks: 'sweeps.due_at', insert: sweepsWith('lease_until') },
  },
  {
    table: 'sweep_items',
    insert: `(workspace_id, sweep_id, customer_id, outcome, decided_at)
      select workspace_id, sweep_id, 'customer-' || n, 'invited', started_at
      from sweeps join grown_passes using (workspace_id, pass_id)
      cross join lateral generate_series(1, greatest(1, cards / 4)) n
      where trimmed_at is null`,
  },
  {
    table: 'sweep_contacts',
    insert: `(workspace_id, sweep_id, email_hash)
      select workspace_id, sweep_id, sha256(convert_to(sweep_id::text || n, 'UTF8'))
      from sweeps join grown_passes using (workspace_id, pass_id)
      cross join lateral generate_series(1, greatest(1, cards / 4)) n
      where status = 'running'`,
  },
  {
    table: 'apple_logs',
    insert: `(log_id, message, created_at)
      select ${idOf(days('n * 30.0 / most'), "'log' || n")}, 'Pass could not be updated: ' || n, ${days('n * 30.0 / most')}
      from (select sum(cards) / 50 as most from grown_workspaces) as c cross join lateral generate_series(1, most::int) n`,
  },
  {
    table: 'google_nonces',
    insert: `(nonce, expires_at)
      select md5('nonce' || n), ${until} + n * interval '1 second'
      from (select sum(cards) / 50 as most from grown_workspaces) as c cross join lateral generate_series(1, most::int) n`,
  },
  { table: 'google_pace', insert: `(issuer_id, next_at) values ('3388000000000000001', ${until})` },
  {
    table: 'wallet_stops',
    insert: `(wallet, scope, reason, since, retry_at) values ('apple', 'grown', 'the certificate has ended', ${until}, ${due})`,
  },
];

function sweepsWith(dueAt: string): string {
  return `(workspace_id, sweep_id, pass_id, store_id, status, dry_run, ${dueAt}, counts, actor, started_at, finished_at,
        trimmed_at)
      select workspace_id, ${idOf(days('n * 30 - 29'), "'sweep' || p || '-' || n")}, pass_id, store_id,
        case when is_open then 'running' else 'completed' end, false, case when is_open then ${due} end, '{}', 'operator',
        ${days('n * 30 - 29')}, case when not is_open then ${days('n * 30 - 29')} end,
        case when n > 3 then ${days('n * 30 - 119')} end
      from grown_passes cross join generate_series(1, 10) n
      cross join lateral (select n = 1 and w % 10 = 1 as is_open) as o
      where k <= 2`;
}
