import type { KeyCtx } from '../context.ts';
import { ownWorkspace } from '../workspaces/own-workspace.ts';
import type { ShownObstacles } from './obstacles.schema.ts';

/** What is missing in the installation and in the caller's workspace before customers can have cards. */
export async function readObstacles(ctx: KeyCtx): Promise<ShownObstacles> {
  const { appleIssuers, google, config, database, now } = ctx.app;
  const { applePassTypeIdentifier, googleIssuerId } = await ownWorkspace(database.db, ctx);
  const { identity } = await appleIssuers.ofNew(ctx.workspaceId, applePassTypeIdentifier);
  const isTest = identity.development && applePassTypeIdentifier === null;
  const isOver = identity.certificate.validToDate <= now();
  return {
    apple: isTest ? 'development' : isOver ? 'expired' : null,
    google: google === null && googleIssuerId === null ? 'no_account' : null,
    address: config.publicUrl.startsWith('https://') ? null : 'not_https',
    mail: config.mail.smtpUrl === null ? 'no_server' : null,
  };
}
