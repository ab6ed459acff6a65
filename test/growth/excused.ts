/** What a restore does with every row of a kind. */
export const afterRestore: Readonly<Record<string, string>> = {
  'delivery/apple/devices.sql.ts#restampDevices': 'after a restore: every device',
  'credits/credits.sql.ts#deleteAllFlushes': 'after a restore: what waits of each workspace',
  'pushes/pushes.sql.ts#listOwing': 'after a restore: everything that is on its way, step by step',
  'pushes/rollouts.sql.ts#listOpenRollouts': 'after a restore: the rollouts under way',
  'delivery/google/classes.sql.ts#doubtAllClasses': 'after a restore: the class of every pass',
  'delivery/google/objects.sql.ts#doubtAllObjects': 'after a restore: every card at Google',
  'invitations/sending.sql.ts#giveUpUnsent': 'after a restore: every invitation that waits',
  'passes/passes.sql.ts#restampEverywhere': 'after a restore: every pass',
  'delivery/web/due-web-cards.sql.ts#forgetAllDue': 'after a restore: every web card that waits',
  'invitations/sweeps/sweeps.sql.ts#listRunningSweeps':
    'after a restore: the sweeps under way, one a pass at most',
  'stores/stores.sql.ts#makeStoresDue': 'after a restore: every store',
  'webhooks/deliveries.sql.ts#giveUpWaiting': 'after a restore: every event that waits',
  'webhooks/claims.sql.ts#makeAllMissing': 'after a restore: what processes were sending',
};

/**
 * Statements that read more the more there is, by design: `file#function`, with the table behind it where the function asks
 * for many, and why that is right.
 */
export const excused: Readonly<Record<string, string>> = {
  ...afterRestore,
  'ledger/audit.sql.ts#checkEntries': 'the nightly recount reads every entry, some thousand in each step',
  'ledger/audit.sql.ts#found': 'the nightly recount reads every lot and reward, step by step',
  'ledger/audits.sql.ts#stepOf': 'the nightly recount adds up every entry and account of a program',
  'ledger/audits.sql.ts#findUncounted':
    'asks each workspace once a minute whether its recount of the day is due: some thousand rows',
  'ledger/audits.sql.ts#countFindings': 'a gauge: the newest recount of each workspace',
  'ledger/audits.sql.ts#deleteOldAudits':
    'deletes the recounts of a workspace that are older than 400 days: one a day',
  'ledger/accounts.sql.ts#readRewards':
    'undoing may concern any reward of the account; what is pending is capped by what was earned',
  'ledger/entries.sql.ts#sumByProgram': "a statement adds up all entries of a partner's period",
  'cards/partner-cards.sql.ts#countByPass': 'a statement counts all cards of one partner',
  'ledger/ages.sql.ts#sumAges': 'the nightly recount reads every entry, some thousand in each step',
  'statistics/tally.sql.ts#countWriterEvents': 'counts the events of some thousand numbers',
  'statistics/tally.sql.ts#tally':
    'counts the events of some thousand numbers, or a step of cards or accounts',
  'statistics/figures.sql.ts#countByPeriod': 'the days that are asked for, of each pass: 1,900 at most',
  'statistics/figures.sql.ts#countByPartner':
    'the days that are asked for, of each pass and partner of a page',
  'statistics/figures.sql.ts#countActive': 'the days that are asked for, of each pass: 1,900 at most',
  'statistics/figures.sql.ts#countVisitors':
    'each day of first and last visits to a pass: some thousand in ten years',
  'statistics/walks.sql.ts#findStepEnd': 'the walk over all cards, 500 in each step',
  'statistics/checking.sql.ts#countWhole':
    'the nightly recount adds up the days of a pass, and the events that are not counted yet',
  'events/event-log.sql.ts#listEvents':
    'moments are brought to numbers first, which the plan with the numbers of another workspace does not show',
  'events/event-log.sql.ts#deleteEvents': 'a range of 5,000 numbers at most',
  'cards/lists.sql.ts#searchCards holders': 'those of other passes are passed over',
  'cards/lists.sql.ts#searchCards instances': 'those of other passes are passed over',
  'cards/lists.sql.ts#searchPeople holders': 'a restricted key passes over those of other passes',
  'ledger/list-entries.sql.ts#listEntriesOfAccount':
    'filters of a card are held against the entries of that card',
  'request-log/trace.sql.ts#deliveriesOfEvents':
    'a trace looks at what one webhook was sent in some minutes, a page at most',
  'webhooks/due-deliveries.sql.ts#findLongestNew': "the doctor's: passes over what is tried again",
  'request-log/request-log.sql.ts#deleteRequests': 'the oldest, 5,000 at most',
  'webhooks/webhooks.sql.ts#countWebhooks': 'a gauge: 16 webhooks a workspace at most',
  'events/timeline.sql.ts#listClaimsOf': 'erasing a card reads its whole timeline',
  'engine/audit.sql.ts#forgetDetails':
    'erasing a card reads the lines of ten minutes around each entry by hand of former versions',
  'orders/orders.sql.ts#clearItems': 'erasing a card reads all its orders',
  'webhooks/new-deliveries.sql.ts#insertDeliveries':
    'the events that a step has just numbered, or that a process was sending, some hundred',
  'webhooks/new-deliveries.sql.ts#isAnyOfWebhooks': 'the events that a step has just numbered, some hundred',
  'webhooks/new-deliveries.sql.ts#insertOwnDeliveries':
    'the events that a step has just numbered, some hundred',
  'events/timeline.sql.ts#countSince': 'the events of one card within an hour',
  'diagnosis/diagnosis.sql.ts#listNewestEvents': 'a diagnosis reads the whole timeline of one card',
  'cards/lists.sql.ts#listInstances':
    'a page of active or of not installed cards passes over the others of the pass; the rarer states have an index',
  'diagnosis/diagnosis.sql.ts#listDiagnosedRollouts': 'the rollouts under way, a few in a workspace',
  'pushes/pushes.sql.ts#countPushes': 'a gauge: what waits, counted no further than a limit',
  'stores/webhooks.sql.ts#countWebhooks': 'a gauge: what waits, or was given up within 30 days',
  'stores/webhooks.sql.ts#findDueWebhooks': 'a share of what is due of each store that has something due',
  'stores/stores.sql.ts#listForgettable': 'asks each store every ten minutes: some thousand rows',
  'stores/stores.sql.ts#countWaiting': 'a page of stores says how much of each waits, of 30 days at most',
  'stores/webhooks.sql.ts#mendOrders':
    'what was given up of one store within 30 days, when its orders are compared twice a day',
  'stores/webhooks.sql.ts#retryWaiting': 'all that waits of one store, of 30 days at most',
  'invitations/sweeps/sweeps.sql.ts#closeSweep':
    'the sweeps of a workspace that are under way, one a pass at most',
  'invitations/sweeps/sweeps.sql.ts#countSweeps': 'a gauge: the sweeps under way, one a pass at most',
  'invitations/sweeps/sweeps.sql.ts#findStaleSweep':
    'the sweeps of 90 days before they are trimmed, oldest first',
  'invitations/sending.sql.ts#countWaiting': 'a gauge: what waits, counted no further than a limit',
  'invitations/sending.sql.ts#findDueInvites': 'passes over the mails under way at this moment',
  'passes/pool.sql.ts#assignCodes': 'passes over codes that a card has brought itself',
  'invitations/forgetting.sql.ts#forgetContactsOfStore':
    'the invitations of a store that is given up, step by step; passes over those that were written since',
  'passes/uploads.sql.ts#withdrawCarried': 'the codes of one upload',
  'stores/privacy.sql.ts#listKeptWebhooks':
    'a page of what a store has sent within 30 days and is not done with',
  'passes/images/images.sql.ts#removeUnshown':
    'trimming looks at all passes of the workspaces whose files are old',
  'engine/due.sql.ts#findTrue rollouts':
    'the rollouts under way, a few: passes over those that wait to let devices go',
  'engine/due.sql.ts#dueSince rollouts':
    'the rollouts under way, a few: passes over those that wait to let devices go',
  'engine/queue.sql.ts#findDue rollouts':
    'the rollouts under way, a few: passes over those that wait to let devices go',
  'engine/queue.sql.ts#leaseRows invites': 'the mails under way at this moment',
  'engine/queue.sql.ts#leaseRows sweeps': 'the sweeps under way, one a pass at most',
  'engine/queue.sql.ts#leaseRows unlock_walks': 'the walks over full cards under way, one a program at most',
  'delivery/apple/devices.sql.ts#restampArrived': 'after a move: every device of a workspace',
  'delivery/apple/device-workspaces.sql.ts#enterArrived': 'after a move: every device of a workspace',
  'wallet-credentials/apple-identities.sql.ts#listEnding': 'the certificates that end within 30 days',
  'delivery/apple/own-devices.sql.ts#listIdle':
    'the certificates that another took the place of, of which hardly any stay',
  'delivery/google/own-objects.sql.ts#listIdleAccounts':
    'the accounts that another took the place of, of which hardly any stay',
  'ledger/audits.sql.ts#listLedgers': 'a command that goes through all workspaces with a ledger',
};
