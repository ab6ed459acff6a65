import * as apple from './api/apple.ts';
import * as changes from './api/card-changes.ts';
import * as instances from './api/cards.ts';
import * as credits from './api/credits.ts';
import * as delivery from './api/delivery.ts';
import * as devices from './api/devices.ts';
import * as entries from './api/entries.ts';
import * as events from './api/events.ts';
import * as found from './api/find-cards.ts';
import * as google from './api/google.ts';
import * as images from './api/images.ts';
import * as invites from './api/invites.ts';
import * as joins from './api/joins.ts';
import * as holder from './api/links.ts';
import * as loyalty from './api/loyalty.ts';
import * as orders from './api/orders.ts';
import * as partners from './api/partners.ts';
import * as passes from './api/passes.ts';
import * as passkeys from './api/passkeys.ts';
import * as people from './api/people.ts';
import * as previews from './api/previews.ts';
import * as programs from './api/programs.ts';
import * as requests from './api/requests.ts';
import * as sessions from './api/sessions.ts';
import * as signIn from './api/sign-in.ts';
import * as statistics from './api/statistics.ts';
import * as stores from './api/stores.ts';
import * as support from './api/support.ts';
import * as sweeps from './api/sweeps.ts';
import * as value from './api/value.ts';
import * as wallets from './api/wallets.ts';
import * as webcard from './api/web-cards.ts';
import * as webhooks from './api/webhooks.ts';
import * as workspaces from './api/workspaces.ts';
import type { Access, AccessOf, KeyCtx, OperatorCtx, PublicCtx, SessionCtx } from './context.ts';
import { type Endpoint, route as line, type Method, type Route } from './kit/http/endpoints/endpoint.ts';

/** Any context: an endpoint gets the one that its access promises. */
export type AnyCtx = PublicCtx & OperatorCtx & SessionCtx & KeyCtx;

/** Contents of the HTTP API: every endpoint, who may call it, and what it does. Served at /v1 and bare. */
export const routes: readonly Route<AnyCtx, Access>[] = [
  route('POST /passes', 'write workspace', passes.createPass),
  route('GET /passes', 'read till', passes.listPasses),
  route('GET /passes/{passId}', 'read till', passes.getPass),
  route('GET /passes/{passId}/progress', 'read till', passes.watchPass),
  route('PATCH /passes/{passId}', 'write pass', passes.updatePass),
  route('DELETE /passes/{passId}', 'write pass', passes.deletePass),
  route('POST /passes/{passId}/clone', 'write workspace', passes.clonePass),
  route('POST /passes/{passId}/barcodes', 'write pass', passes.uploadBarcodes),
  route('GET /passes/{passId}/barcodes', 'read pass', passes.listBarcodes),
  route('DELETE /passes/{passId}/barcodes/{barcode}', 'write pass', passes.deleteBarcode),
  route('POST /passes/preview', 'write pass', previews.previewDesign),
  route('GET /passes/{passId}/preview.svg', 'read till', previews.getPreviewSvg),
  route('GET /passes/{passId}/preview.png', 'read till', previews.getPreviewPng),

  route('POST /passes/{passId}/instances', 'write pass', instances.issueInstance),
  route('POST /passes/{passId}/instances/batch', 'write pass', instances.issueBatch),
  route('POST /passes/{passId}/instances/import', 'write pass', instances.importInstances),
  route('GET /passes/{passId}/instances', 'read pass', found.listInstances),
  route('GET /instances/lookup', 'read till', found.lookUpInstance),
  route('GET /holders', 'read till', found.listHolders),
  route('GET /instances/{instanceId}', 'read till', instances.getInstance),
  route('PATCH /instances/{instanceId}', 'write pass', changes.updateInstance),
  route('DELETE /instances/{instanceId}', 'write pass', changes.eraseInstance),
  route('GET /instances/{instanceId}/consents', 'read pass', joins.listConsents),
  route('PATCH /instances/{instanceId}/fields', 'write pass', changes.updateFields),
  route('POST /instances/{instanceId}/void', 'write pass', changes.voidInstance),
  route('POST /instances/fields/batch', 'write pass', changes.updateFieldsBatch),
  route('POST /instances/void/batch', 'write pass', changes.voidBatch),
  route('POST /instances/{instanceId}/reactivate', 'write pass', changes.reactivateInstance),
  route('GET /instances/{instanceId}/timeline', 'read pass', instances.getTimeline),
  route('GET /instances/{instanceId}/diagnosis', 'read pass', delivery.getDiagnosis),
  route('POST /instances/{instanceId}/push', 'write pass', delivery.pushInstance),
  route('POST /passes/{passId}/messages', 'write pass', delivery.sendMessage),
  route('GET /passes/{passId}/messages', 'read pass', delivery.listMessages),
  route('GET /messages/{messageId}', 'read pass', delivery.getMessage),
  route('PATCH /messages/{messageId}', 'write pass', delivery.updateMessage),
  route('POST /messages/{messageId}/take-back', 'write pass', delivery.takeBackMessage),
  route('GET /messages/{messageId}/progress', 'read pass', delivery.watchMessage),

  route('POST /loyalty/programs', 'write pass', programs.createProgram),
  route('GET /loyalty/programs', 'read till', programs.listPrograms),
  route('GET /loyalty/programs/{programId}', 'read till', programs.getProgram),
  route('PATCH /loyalty/programs/{programId}', 'write pass', programs.updateProgram),
  route('POST /loyalty/programs/{programId}/preview', 'write pass', programs.previewProgram),
  route('GET /loyalty/programs/{programId}/summary', 'read pass', programs.getProgramSummary),

  route('POST /loyalty/points', 'write till', loyalty.earnPoints),
  route('POST /loyalty/points/batch', 'write till', loyalty.earnBatch),
  route('POST /loyalty/points/preview', 'write till', loyalty.previewPoints),
  route('POST /loyalty/redeem', 'write till', loyalty.redeemReward),
  route('POST /loyalty/adjust', 'write pass', loyalty.adjustPoints),
  route('GET /loyalty/rewards', 'read till', loyalty.listRewards),
  route('POST /loyalty/adjust/batch', 'write pass', loyalty.adjustBatch),
  route('GET /loyalty/entries', 'read till', entries.listEntries),
  route('GET /loyalty/entries/{entryId}', 'read pass', entries.getEntry),
  route('GET /loyalty/programs/{programId}/balances.csv', 'read export', loyalty.exportBalances),
  route('POST /loyalty/programs/{programId}/balances', 'write pass', loyalty.importBalances),
  route('POST /loyalty/entries/{entryId}/reverse', 'write till', loyalty.reverseEntry),
  route('GET /loyalty/holders/{identifier}', 'read till', loyalty.getHolder),

  route('POST /value/load', 'write till', value.loadValue),
  route('POST /value/charge', 'write till', value.chargeValue),
  route('POST /value/refund', 'write till', value.refundValue),
  route('POST /value/transfer', 'write pass', value.transferValue),

  route('POST /orders/process', 'write pass', orders.processOrder),
  route('GET /orders', 'read pass', orders.listOrders),
  route('GET /orders/{orderId}', 'read pass', orders.getOrder),
  route('POST /orders/{orderId}/refunds', 'write pass', orders.refundOrder),
  route('POST /orders/{orderId}/cancel', 'write pass', orders.cancelOrder),
  route('DELETE /orders/{orderId}/cancel', 'write pass', orders.withdrawCancellation),

  route('POST /partners', 'write workspace', partners.createPartner),
  route('GET /partners', 'read workspace', partners.listPartners),
  route('GET /partners/{partnerId}', 'read workspace', partners.getPartner),
  route('PATCH /partners/{partnerId}', 'write workspace', partners.updatePartner),
  route('DELETE /partners/{partnerId}', 'write workspace', partners.deletePartner),
  route('GET /partners/{partnerId}/statement', 'read workspace', partners.getPartnerStatement),
  route('GET /partners/{partnerId}/statement.csv', 'read workspace', partners.getPartnerStatementCsv),

  route('POST /stores', 'write workspace', stores.connectStore),
  route('GET /stores', 'read workspace', stores.listStores),
  route('GET /stores/{storeId}', 'read workspace', stores.getStore),
  route('PATCH /stores/{storeId}', 'write workspace', stores.updateStore),
  route('DELETE /stores/{storeId}', 'write workspace', stores.disconnectStore),
  route('POST /stores/{storeId}/test', 'write workspace', stores.testStore),
  route('POST /stores/{storeId}/webhooks', 'signed', stores.receiveWebhook),
  route('GET /stores/{storeId}/privacy-requests', 'read workspace', stores.listPrivacyRequests),

  route('POST /passes/{passId}/invites/sweep', 'write pass', sweeps.startSweep),
  route('GET /passes/{passId}/invites/sweep', 'read pass', sweeps.getSweep),
  route('GET /passes/{passId}/invites/sweep/progress', 'read pass', sweeps.watchSweep),
  route('POST /passes/{passId}/invites/sweep/cancel', 'write pass', sweeps.cancelSweep),
  route('GET /passes/{passId}/invites/sweep/results', 'read pass', sweeps.listSweepResults),

  route('POST /passes/{passId}/invites', 'write pass', invites.createInvite),
  route('POST /passes/{passId}/invites/cards', 'write pass', invites.sendCards),
  route('GET /passes/{passId}/invites', 'read pass', invites.listInvites),
  route('GET /invites/{token}', 'public', invites.getInvitePage),
  route('POST /invites/{token}', 'public', invites.acceptInvite),
  route('GET /unsubscribe/{token}', 'public', invites.getUnsubscribePage),
  route('POST /unsubscribe/{token}', 'public', invites.unsubscribe),

  route('GET /join/{passId}', 'public', joins.getJoinPage),
  route('POST /join/{passId}', 'public', joins.submitJoinForm),
  route('GET /join/{passId}/form', 'public', joins.getJoinForm),
  route('POST /join/{passId}/enrolments', 'public', joins.joinByApp),
  route('GET /join/{passId}/confirm/{token}', 'public', joins.getProofPage),
  route('POST /join/{passId}/confirm/{token}', 'public', joins.confirmJoin),
  route('GET /join/{passId}/qr.svg', 'public', joins.getJoinQr),
  route('GET /join/{passId}/poster.pdf', 'public', joins.getPosterPdf),
  route('GET /join/{passId}/poster.png', 'public', joins.getPosterPng),
  route('GET /join/{passId}/scripts/{script}', 'public', joins.getJoinScript),

  route('POST /images', 'write workspace', images.uploadImage),
  route('GET /images/{hash}.png', 'public', images.getImage),
  route('GET /p/{token}', 'public', holder.openLink),
  route('GET /p/{token}/apple.pkpass', 'public', holder.downloadApplePass),
  route('GET /p/{token}/google', 'public', holder.saveToGoogle),
  route('GET /p/{token}/qr.svg', 'public', holder.getLinkQr),
  route('GET /p/{token}/card', 'public', webcard.openWebCard),
  route('GET /p/{token}/card/state', 'public', webcard.getWebCard),
  route('GET /p/{token}/card/events', 'public', webcard.watchWebCard),
  route('POST /p/{token}/card/installation', 'public', webcard.installWebCard),
  route('DELETE /p/{token}/card/installation', 'public', webcard.removeWebCard),
  route('GET /p/{token}/card.webmanifest', 'public', webcard.getWebCardManifest),
  route('GET /p/{token}/icons/{icon}', 'public', webcard.getWebCardIcon),
  route('GET /p/{token}/scripts/{script}', 'public', webcard.getWebCardScript),
  route('GET /p/{token}/picture.png', 'public', webcard.getCardPicture),
  route('GET /p/{token}/sw.js', 'public', webcard.getWebCardWorker),

  route(
    'POST /apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}/{serialNumber}',
    'public',
    apple.registerDevice,
  ),
  route(
    'DELETE /apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}/{serialNumber}',
    'public',
    apple.unregisterDevice,
  ),
  route(
    'GET /apple/v1/devices/{deviceLibraryIdentifier}/registrations/{passTypeIdentifier}',
    'public',
    apple.listChangedSerials,
  ),
  route('GET /apple/v1/passes/{passTypeIdentifier}/{serialNumber}', 'public', apple.getLatestPass),
  route('POST /apple/v1/log', 'public', apple.logDeviceErrors),

  route('POST /google/callback', 'public', google.googleCallback),
  route('GET /passes/{passId}/logo.png', 'public', google.getPassLogo),
  route('GET /passes/{passId}/stamps/{filled}-{threshold}.png', 'public', google.getStampPicture),

  route('POST /webhooks', 'write workspace', webhooks.createWebhook),
  route('GET /webhooks', 'read workspace', webhooks.listWebhooks),
  route('GET /webhooks/{webhookId}', 'read workspace', webhooks.getWebhook),
  route('PATCH /webhooks/{webhookId}', 'write workspace', webhooks.updateWebhook),
  route('DELETE /webhooks/{webhookId}', 'write workspace', webhooks.deleteWebhook),
  route('POST /webhooks/{webhookId}/rotate', 'write workspace', webhooks.rotateWebhook),
  route('POST /webhooks/{webhookId}/test', 'write workspace', webhooks.testWebhook),
  route('POST /webhooks/{webhookId}/recover', 'write workspace', webhooks.recoverWebhook),
  route('GET /webhooks/{webhookId}/deliveries', 'read workspace', webhooks.listDeliveries),
  route('GET /webhooks/{webhookId}/deliveries/{deliveryId}', 'read workspace', webhooks.getDelivery),
  route(
    'POST /webhooks/{webhookId}/deliveries/{deliveryId}/resend',
    'write workspace',
    webhooks.resendDelivery,
  ),

  route('GET /me', 'any key', workspaces.getMe),
  route('GET /workspace', 'read workspace', workspaces.getWorkspace),
  route('PATCH /workspace', 'write workspace', workspaces.updateWorkspace),
  route('GET /workspace/wallets', 'read workspace', wallets.getWallets),
  route('GET /workspace/obstacles', 'read workspace', wallets.getObstacles),
  route('POST /workspace/wallets/apple/signing-request', 'write owner', wallets.createSigningRequest),
  route('PUT /workspace/wallets/apple', 'write owner', wallets.setAppleIdentity),
  route('DELETE /workspace/wallets/apple', 'write owner', wallets.removeAppleIdentity),
  route('PUT /workspace/wallets/google', 'write owner', wallets.setGoogleIdentity),
  route('DELETE /workspace/wallets/google', 'write owner', wallets.removeGoogleIdentity),
  route('PUT /workspace/wallets/nfc', 'write owner', wallets.setNfcReaders),
  route('POST /workspace/wallets/nfc/key', 'write owner', wallets.showNfcKey),
  route('DELETE /workspace/wallets/nfc', 'write owner', wallets.removeNfcReaders),
  route('POST /api-keys', 'write owner', workspaces.createApiKey),
  route('GET /api-keys', 'read workspace', workspaces.listApiKeys),
  route('GET /api-keys/{keyId}', 'read workspace', workspaces.getApiKey),
  route('PATCH /api-keys/{keyId}', 'write owner', workspaces.updateApiKey),
  route('DELETE /api-keys/{keyId}', 'write owner', workspaces.revokeApiKey),
  route('POST /api-keys/{keyId}/rotate', 'write owner', workspaces.rotateApiKey),

  route('POST /people', 'write owner', people.createPerson),
  route('GET /people', 'read workspace', people.listPeople),
  route('GET /people/{personId}', 'read workspace', people.getPerson),
  route('PATCH /people/{personId}', 'write owner', people.updatePerson),
  route('DELETE /people/{personId}', 'write owner', people.deletePerson),
  route('POST /people/{personId}/links', 'write owner', people.createPersonLink),
  route('POST /people/links', 'public', people.sendSignInLink),

  route('POST /devices', 'write workspace', devices.createDevice),
  route('GET /devices', 'read workspace', devices.listDevices),
  route('DELETE /devices/{deviceId}', 'write workspace', devices.revokeDevice),
  route('POST /devices/pair', 'public', devices.pairDevice),
  route('GET /devices/current', 'public', devices.getCurrentDevice),

  route('POST /sessions', 'public', sessions.createSession),
  route('GET /sessions', 'session', sessions.listSessions),
  route('GET /sessions/current', 'session', sessions.getCurrentSession),
  route('DELETE /sessions/current', 'session', sessions.endCurrentSession),
  route('PATCH /sessions/current/person', 'session', sessions.updateOwnPerson),
  route('POST /sessions/current/address', 'session', sessions.confirmOwnAddress),
  route('POST /sessions/current/password', 'session', sessions.setPassword),
  route('POST /sessions/current/workspaces', 'session', sessions.acceptInvitation),
  route('DELETE /sessions/current/workspaces/{workspaceId}', 'session', sessions.leaveWorkspace),
  route('DELETE /sessions/{sessionId}', 'session', sessions.endSession),
  route('GET /sessions/options', 'public', passkeys.getSignInOptions),
  route('GET /passkeys/options', 'session', passkeys.getPasskeyOptions),
  route('POST /passkeys', 'session', passkeys.createPasskey),
  route('GET /passkeys', 'session', passkeys.listPasskeys),
  route('PATCH /passkeys/{passkeyId}', 'session', passkeys.updatePasskey),
  route('DELETE /passkeys/{passkeyId}', 'session', passkeys.deletePasskey),
  route('GET /sign-in/oidc', 'public', signIn.beginOidc),
  route('GET /sign-in/oidc/callback', 'public', signIn.finishOidc),
  route('GET /sign-in/passkeys.js', 'public', passkeys.getPasskeyScript),
  route('GET /sign-in', 'public', signIn.getSignInPage),
  route('POST /sign-in', 'public', signIn.askForLink),
  route('GET /sign-in/{token}', 'public', signIn.getLinkPage),
  route('POST /sign-in/{token}', 'public', signIn.followLink),
  route('POST /sign-out', 'public', signIn.signOut),
  route('GET /account', 'public', signIn.getAccountPage),
  route('POST /account/workspaces', 'public', signIn.answerInvitation),
  route('POST /account', 'public', signIn.choosePassword),

  route('GET /requests', 'read workspace', requests.listRequests),
  route('GET /requests/{requestId}', 'read workspace', requests.getRequest),
  route('GET /audit', 'read workspace', requests.listAudit),
  route('GET /trace/{requestId}', 'read workspace', requests.getTrace),

  route('GET /credits', 'read workspace', credits.getCredits),
  route('GET /credits/entries', 'read workspace', credits.listCreditEntries),

  route('POST /operator/workspaces', 'operator', workspaces.createWorkspace),
  route('GET /operator/workspaces', 'operator', workspaces.listWorkspaces),
  route('GET /operator/workspaces/{workspaceId}', 'operator', workspaces.getAnyWorkspace),
  route('PATCH /operator/workspaces/{workspaceId}', 'operator', workspaces.updateAnyWorkspace),
  route('POST /operator/workspaces/{workspaceId}/api-keys', 'operator', workspaces.createAnyApiKey),
  route('POST /operator/workspaces/{workspaceId}/people', 'operator', people.inviteOwner),
  route('GET /operator/workspaces/{workspaceId}/people', 'operator', people.listAnyPeople),
  route('POST /operator/workspaces/{workspaceId}/credits', 'operator', credits.addCredits),
  route('GET /operator/instances/{instanceId}/diagnosis', 'operator', delivery.diagnoseInstance),

  route('GET /statistics', 'read pass', statistics.getStatistics),
  route('GET /statistics/visitors', 'read pass', statistics.getVisitors),
  route('GET /events', 'read pass', events.listEvents),
  route('GET /events/{eventId}', 'read pass', events.getEvent),

  route('GET /healthz', 'probe', support.getHealth),
  route('GET /readyz', 'probe', support.getReadiness),
  route('GET /metrics', 'probe', support.getMetrics),
  route('GET /openapi.json', 'public', support.getOpenApi),
  route('GET /docs', 'public', support.getReference),
  route('GET /docs/search', 'public', support.searchReference),
  route('GET /docs/{page}', 'public', support.getReferencePage),
];

/** Holds the access word against what the endpoint expects to be handed. */
function route<Ctx>(path: `${Method} /${string}`, access: AccessOf<Ctx>, endpoint: Endpoint<Ctx>) {
  return line(path, access as Access, endpoint as Endpoint<AnyCtx>);
}
