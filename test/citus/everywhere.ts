import { afterRestore } from '../growth/excused.ts';

/** Statements that ask all shards by design: `file#function`, and why that is right. */
export const asksEverywhere: Readonly<Record<string, string>> = {
  ...afterRestore,
  'passes/images/images.sql.ts#findFile':
    'the address of an image names its bytes alone, and each process keeps what it has read',
  'passes/passes.sql.ts#findPassAnywhere':
    "whose a pass is that is none of the caller's; and the pictures of a pass, which Google fetches once",
  'passes/programs/programs.sql.ts#findProgramAnywhere': "whose a program is that is none of the caller's",
  'ledger/entries.sql.ts#findOwnerOfEntry': "whose an entry is that is none of the caller's",
  'cards/folding.sql.ts#findUnfolded': 'by the clock, every five seconds, and at the start',
  'cards/instances.sql.ts#findForeign': "which cards are another's that are none of the caller's",
  'stores/stores.sql.ts#findStoreAnywhere': "whose a store is that is none of the caller's",
  'stores/stores.sql.ts#findStoresAnywhere':
    'the first webhook of a store at a process, and those of no store',
  'stores/stores.sql.ts#findNamedStores':
    'stores of webhooks that arrive together: as many shards as these have',
  'diagnosis/diagnosis.sql.ts#findDiagnosed': 'an operator asks what is the matter with a card',
  'pushes/messages.sql.ts#messageExists': "whose a message is that is none of the caller's",
  'pushes/pushes.sql.ts#countPushes': 'a gauge',
  'ledger/audits.sql.ts#countFindings': 'a gauge',
  'stores/webhooks.sql.ts#countWebhooks': 'a gauge',
  'invitations/sending.sql.ts#countWaiting': 'a gauge',
  'invitations/sweeps/sweeps.sql.ts#countSweeps': 'a gauge',
  'ledger/audits.sql.ts#listLedgers': 'a command that goes through all workspaces with a ledger',
  'engine/due-workspaces.sql.ts#listDueWorkspaces': 'the look at all workspaces, every ten seconds',
  'engine/due.sql.ts#dueSince': "the doctor's: what has waited longest of all",
  'engine/queue.sql.ts#findDue':
    'by the clock: recounts, claims whose lease has ended, and what erasures have left',
  'passes/images/images.sql.ts#findStaleFiles': 'by the clock, every ten minutes',
  'passes/images/uploads.sql.ts#findStaleUploads': 'by the clock, every ten minutes',
  'enrolment/proofs.sql.ts#findExpiredProofs': 'by the clock, every ten minutes',
  'enrolment/days.sql.ts#findPastDays': 'by the clock, every ten minutes',
  'stores/stores.sql.ts#listForgettable': 'by the clock, every ten minutes',
  'stores/webhooks.sql.ts#findOldWebhooks': 'by the clock, every ten minutes',
  'invitations/sweeps/sweeps.sql.ts#findStaleSweep': 'by the clock, every minute',
  'ledger/audits.sql.ts#findUncounted': 'by the clock, every minute',
  'ledger/accounts.sql.ts#findDueCards': 'by the clock, every five seconds',
  'workspaces/workspaces.sql.ts#listUnwarned':
    'by the clock, every hour in the month before a certificate ends',
  'wallet-credentials/apple-identities.sql.ts#listEnding': 'by the clock, every hour',
  'delivery/apple/own-devices.sql.ts#listIdle': 'by the clock, every ten minutes',
  'delivery/google/own-objects.sql.ts#listIdleAccounts': 'by the clock, every ten minutes',
  'events/event-log.sql.ts#findOwnerOfEvent': "whose an event is that is none of the caller's",
  'events/event-log.sql.ts#listToTrim': 'by the clock, every minute',
  'request-log/request-log.sql.ts#deleteRequests': 'by the clock, every minute',
  'webhooks/deliveries.sql.ts#findOldDeliveries': 'by the clock, every minute',
  'webhooks/webhooks.sql.ts#listForgotten': 'by the clock, every minute',
  'webhooks/webhooks.sql.ts#findWebhookAnywhere': "whose a webhook is that is none of the caller's",
  'webhooks/webhooks.sql.ts#countWebhooks': 'a gauge',
  'webhooks/due-deliveries.sql.ts#countWaiting': 'a gauge',
  'webhooks/due-deliveries.sql.ts#findLongestNew': "the doctor's: what has waited longest of all",
  'request-log/trace.sql.ts#workspacesOfRequest':
    'an operator asks what a request has left, in whichever workspace',
};

/** What finds due work in one statement on a single PostgreSQL; a cluster's workers ask it of the workspaces that are noted. */
export const notOnClusters: readonly string[] = [
  'engine/due.sql.ts#findTrue',
  'engine/queue.sql.ts#findDue',
  'pushes/pushes.sql.ts#listStale',
  'invitations/sending.sql.ts#listDueQueues',
  'delivery/google/own-objects.sql.ts#listOwnersDue',
  'stores/webhooks.sql.ts#findDueWebhooks',
  'delivery/web/web-cards.sql.ts#listCardsWithEnded',
  'events/event-log.sql.ts#listToFollow',
  'webhooks/due-deliveries.sql.ts#findDueDeliveries',
];

/** Statements that a single PostgreSQL is never sent. */
export const onlyOnClusters: readonly string[] = ['engine/due-workspaces.sql.ts#listDueWorkspaces'];

/** Statements about one workspace that the service does not send to its node: they name a table of the coordinator, too. */
export const byCoordinator: readonly string[] = [
  // The import of a workspace.
  'delivery/apple/device-workspaces.sql.ts#enterArrived',
];

/** Statements that ask all shards, or that Citus refuses, and should not: what is to be done about them. */
export const notYet: Readonly<Record<string, string>> = {};
