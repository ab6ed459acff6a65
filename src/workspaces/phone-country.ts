import type { ActorCtx } from '../context.ts';
import type { Db } from '../kit/db/database.ts';
import { invalidField } from '../kit/http/api-error.ts';
import type { ProblemPart } from '../kit/http/schemas/problems.ts';
import { countryOfZone } from '../kit/text/country.ts';
import { namesCountry, phoneNumber } from '../kit/text/phone.ts';
import { findWorkspace, type WorkspaceRow } from './workspaces.sql.ts';

/** The country of telephone numbers that do not name theirs: the workspace's own, else what its time zone or locale names; null: none. */
export function countryOf(workspace: Pick<WorkspaceRow, 'country' | 'timezone' | 'locale'>): string | null {
  const { country, timezone, locale } = workspace;
  return country ?? countryOfZone(timezone) ?? new Intl.Locale(locale).region ?? null;
}

/** The same of the caller's workspace, asked once for all who ask together. */
export function findCountry({
  app,
  workspaceId,
}: Pick<ActorCtx, 'app' | 'workspaceId'>): Promise<string | null> {
  return app.groupCommit.read(countryForAll, workspaceId, null);
}

async function countryForAll(db: Db, workspaceId: string, callers: readonly null[]) {
  const workspace = await findWorkspace(db, workspaceId);
  const country = workspace === undefined ? null : countryOf(workspace);
  return callers.map(() => country);
}

/** A telephone number in the form of E.164; null for what is none. */
export async function readNumber(
  ctx: Pick<ActorCtx, 'app' | 'workspaceId'>,
  text: string,
): Promise<string | null> {
  return phoneNumber(text, namesCountry(text) ? null : await findCountry(ctx));
}

/** The same of a parameter. Raises `invalid_request` for what is none, with advice. */
export async function requireNumber(
  ctx: Pick<ActorCtx, 'app' | 'workspaceId'>,
  parameter: string,
  text: string,
  part?: ProblemPart,
): Promise<string> {
  const number = await readNumber(ctx, text);
  if (number !== null) return number;
  throw invalidField(
    parameter,
    'format',
    'write it with its country, such as +491711234567, or set the country of the workspace: PATCH /workspace. In a URL the plus sign is %2B.',
    { limit: 'phone', part },
  );
}
