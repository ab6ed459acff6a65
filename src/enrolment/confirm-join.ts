import { insertConsents } from '../cards/consents.sql.ts';
import { findInstance } from '../cards/find-instance.ts';
import { findHolders } from '../cards/keep-holder.ts';
import { linkTo } from '../cards/link-token.ts';
import type { PublicCtx } from '../context.ts';
import { decodeId, encodeId } from '../kit/ids.ts';
import type { PageDocument } from '../rendering/page-document.ts';
import { actorOf, issueTo, opensProof, readProofToken } from './join.ts';
import { proofPage } from './join-page.ts';
import { limitDay } from './limit-joins.ts';
import { findOpenForm, forShop, type OpenForm } from './open-form.ts';
import { deleteProof, findProof, type JoinProof } from './proofs.sql.ts';
import { refused } from './read-entries.ts';

interface ProofPath {
  readonly passId: string;
  readonly token: string;
}

/** The page behind the link of a mail. It changes nothing: programs that scan mails follow links too. Raises `invalid_join`. */
export async function showProof(
  ctx: PublicCtx,
  path: ProofPath,
  acceptLanguage: string | undefined,
): Promise<PageDocument> {
  const { open, proof } = await findProven(ctx, path);
  return proofPage(ctx, open, { email: proof.person.email, acceptLanguage });
}

/**
 * Gives the holder of a proven address their card of the pass, or a new one, and records what they agreed to. Returns the
 * address of its page. Raises `invalid_join` if the link was used before.
 */
export async function confirmJoin(ctx: PublicCtx, path: ProofPath): Promise<string> {
  const { open, proof } = await findProven(ctx, path);
  return forShop(ctx, open, () => takeCard(ctx, open, proof));
}

async function takeCard(ctx: PublicCtx, open: OpenForm, proof: JoinProof): Promise<string> {
  const { person } = proof;
  const { database } = ctx.app;
  const { email } = person;
  const [held] = await findHolders(database.db, open.pass, [{ identifier: email, email }]);
  if (held == null) await limitDay(ctx, open, true);
  const { instanceId, link } =
    held == null
      ? await issueTo(ctx, open, { ...person, consents: [] }, { locale: person.locale, key: null })
      : await cardOf(ctx, open, encodeId('inst', held));
  // A button that is pressed twice at once keeps the consents once.
  await database.transaction(async (tx) => {
    if (!(await deleteProof(tx, proof))) return;
    const id = decodeId('inst', instanceId) ?? '';
    const consents = person.consents.map((consent) => ({ ...consent, instanceId: id }));
    await insertConsents(tx, proof.workspaceId, consents, ctx.app.now());
  });
  return link;
}

async function cardOf(ctx: PublicCtx, open: OpenForm, instanceId: string) {
  const card = await findInstance(ctx.app.database.db, actorOf(ctx, open), instanceId);
  return { instanceId, link: linkTo(ctx.app.config.publicUrl, card) };
}

async function findProven(
  ctx: PublicCtx,
  { passId, token }: ProofPath,
): Promise<{ readonly open: OpenForm; readonly proof: JoinProof }> {
  const open = await findOpenForm(ctx, passId);
  const target = readProofToken(token);
  const proof = target === null ? undefined : await findProof(ctx.app.database.db, target);
  const isGood =
    target !== null &&
    proof !== undefined &&
    opensProof(target, proof) &&
    proof.passId === open.pass.passId &&
    proof.expiresAt > ctx.app.now();
  return forShop(ctx, open, async () => {
    if (!isGood) throw refused('link', 'link');
    return { open, proof };
  });
}
