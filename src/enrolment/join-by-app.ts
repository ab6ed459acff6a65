import type { Static } from 'typebox';
import type { PublicCtx } from '../context.ts';
import { workBits } from '../kit/crypto/proof-of-work.ts';
import { kindOf } from '../passes/pass-row.ts';
import type { AppEnrolment, OpenJoinForm } from './join.schema.ts';
import { enrol } from './join.ts';
import { readersLanguage } from './join-page.ts';
import { challengeFor } from './limit-joins.ts';
import { findOpenForm } from './open-form.ts';

/** Enrols a user of a merchant's own app, as the form of the page does, and answers with data. */
export async function joinByApp(
  ctx: PublicCtx,
  passId: string,
  { values = {}, consents = {}, challenge, work }: Static<typeof AppEnrolment>,
  acceptLanguage: string | undefined,
): Promise<{ readonly link: string | null; readonly mailed: boolean }> {
  const { joined } = await enrol(ctx, passId, {
    values,
    consents,
    challenge: challenge ?? null,
    work: work ?? null,
    acceptLanguage,
  });
  return 'link' in joined ? { link: joined.link, mailed: false } : { link: null, mailed: true };
}

/** What the page asks for, as data: in the words of its reader's language where it has no others. */
export async function readJoinForm(
  ctx: PublicCtx,
  passId: string,
  acceptLanguage: string | undefined,
): Promise<Static<typeof OpenJoinForm>> {
  const open = await findOpenForm(ctx, passId);
  const { pass, workspace, form } = open;
  const { words, language } = readersLanguage(acceptLanguage, open);
  const { join } = words;
  const labels: Readonly<Record<string, string>> = {
    ...Object.fromEntries(pass.fields.map(({ key, label }) => [key, label || key])),
    name: join.name,
    email: join.email,
    phone: join.phone,
  };
  return {
    shop: workspace.name,
    title: pass.title,
    language,
    headline: form.headline ?? join.get[kindOf(pass.type)],
    text: form.text ?? (form.fields.length > 0 ? join.lead : join.leadBare),
    fields: form.fields.map(({ key, required, label }) => ({
      key,
      required,
      label: label ?? labels[key] ?? key,
    })),
    consents: form.consents.map((consent) => ({ ...consent })),
    challenge: challengeFor(ctx, pass.passId),
    bits: workBits,
  };
}
