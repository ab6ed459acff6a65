/**
 * Statements that read more the more there is, by design: `file#function`, with the table behind it where the function asks
 * for many, and why that is right.
 */
export const excused: Readonly<Record<string, string>> = {
  'modules/loyalty/audit.sql.ts#checkEntries':
    'the nightly recount reads every entry, some thousand in each step',
  'modules/loyalty/audit.sql.ts#found': 'the nightly recount reads every lot, reward and seal, step by step',
  'modules/loyalty/totals.sql.ts#stepOf': 'the nightly recount adds up every entry and account of a program',
  'modules/loyalty/seals.sql.ts#listUnsealed': 'a seal reads the entries that it covers, 20,000 at most',
  'modules/loyalty/seals.sql.ts#listSealAccounts':
    'the export reads the seals of one page, of 20,000 entries at most',
  'modules/loyalty/seals.sql.ts#listUnturned':
    'asks each program for a workspace that is new to sealing: some thousand rows',
  'modules/loyalty/audits.sql.ts#findUncounted':
    'asks each workspace once a minute whether its recount of the day is due: some thousand rows',
  'modules/loyalty/audits.sql.ts#countFindings': 'a gauge: the newest recount of each workspace',
  'modules/loyalty/audits.sql.ts#deleteOldAudits':
    'deletes the recounts of a workspace that are older than 400 days: one a day',
  'modules/loyalty/books.sql.ts#readRewards':
    'undoing may concern any reward of the account; what is pending is capped by what was earned',
  'modules/loyalty/partner-entries.sql.ts#sumByProgram':
    "a statement adds up all entries of a partner's period",
  'modules/instances/partner-cards.sql.ts#countByPass': 'a statement counts all cards of one partner',
  'modules/instances/events.sql.ts#listClaimsOf': 'erasing a card reads its whole timeline',
  'audit.ts#forgetDetails':
    'erasing a card reads the lines of ten minutes around each entry by hand of former versions',
  'modules/instances/events.sql.ts#countSince': 'the events of one card within an hour',
  'modules/instances/diagnosis.sql.ts#listNewestEvents': 'a diagnosis reads the whole timeline of one card',
  'modules/instances/instances.sql.ts#listInstances':
    'a page of active or of not installed cards passes over the others of the pass; the rarer states have an index',
  'modules/delivery/diagnosis.sql.ts#listDiagnosedRollouts': 'the rollouts under way, a few in a workspace',
  'modules/delivery/pushes.sql.ts#countPushes': 'a gauge: what waits, counted no further than a limit',
  'modules/stores/webhooks.sql.ts#countWebhooks': 'a gauge: what waits, or was given up within 30 days',
  'modules/stores/webhooks.sql.ts#findDueWebhooks':
    'a share of what is due of each store that has something due',
  'modules/stores/stores.sql.ts#listForgettable': 'asks each store every ten minutes: some thousand rows',
  'modules/loyalty/seals.sql.ts#listNews':
    'the entries of a span of minutes, which are asked for here as one of all time',
  'modules/stores/stores.sql.ts#countWaiting':
    'a page of stores says how much of each waits, of 30 days at most',
  'modules/stores/webhooks.sql.ts#retryWaiting': 'all that waits of one store, of 30 days at most',
  'modules/sweeps/sweeps.sql.ts#holdSweep':
    'the sweeps of a workspace that are under way, one a pass at most',
  'modules/sweeps/sweeps.sql.ts#closeSweep':
    'the sweeps of a workspace that are under way, one a pass at most',
  'modules/sweeps/sweeps.sql.ts#countSweeps': 'a gauge: the sweeps under way, one a pass at most',
  'modules/sweeps/sweeps.sql.ts#findStaleSweep':
    'the sweeps of 90 days that nobody has trimmed, oldest first',
  'modules/invites/sending.sql.ts#countWaiting': 'a gauge: what waits, counted no further than a limit',
  'modules/invites/sending.sql.ts#findDueInvites': 'passes over the mails under way at this moment',
  'modules/passes/pool.sql.ts#assignCodes': 'passes over codes that a card has brought itself',
  'modules/invites/forgetting.sql.ts#forgetContactsOfStore':
    'the invitations of a store that is given up, step by step; passes over those that were written since',
  'modules/passes/uploads.sql.ts#withdrawCarried': 'the codes of one upload',
  'modules/stores/privacy.sql.ts#listKeptWebhooks':
    'a page of what a store has sent within 30 days and is not done with',
  'modules/images/images.sql.ts#removeUnshown':
    'trimming looks at all passes of the workspaces whose files are old',
  'engine/due.sql.ts#findTrue rollouts':
    'the rollouts under way, a few: passes over those that wait to let devices go',
  'engine/due.sql.ts#findDue rollouts':
    'the rollouts under way, a few: passes over those that wait to let devices go',
  'engine/due.sql.ts#lease invites': 'the mails under way at this moment',
  'engine/due.sql.ts#lease sweeps': 'the sweeps under way, one a pass at most',
  'modules/apple/devices.sql.ts#restampDevices': 'after a restore: every device',
  'modules/credits/credits.sql.ts#deleteAllFlushes': 'after a restore: what waits of each workspace',
  'modules/delivery/pushes.sql.ts#listOwing': 'after a restore: everything that is on its way, step by step',
  'modules/delivery/rollouts.sql.ts#listOpenRollouts': 'after a restore: the rollouts under way',
  'modules/google/classes.sql.ts#doubtAllClasses': 'after a restore: the class of every pass',
  'modules/google/objects.sql.ts#doubtAllObjects': 'after a restore: every card at Google',
  'modules/invites/sending.sql.ts#giveUpUnsent': 'after a restore: every invitation that waits',
  'modules/passes/passes.sql.ts#restampEverywhere': 'after a restore: every pass',
  'modules/webcard/due-web-cards.sql.ts#forgetAllDue': 'after a restore: every web card that waits',
  'modules/sweeps/sweeps.sql.ts#listRunningSweeps':
    'after a restore: the sweeps under way, one a pass at most',
  'modules/stores/reconcile.sql.ts#makeStoresDue': 'after a restore: every store',
  'modules/loyalty/audits.sql.ts#listLedgers': 'a command that goes through all workspaces with a ledger',
};
