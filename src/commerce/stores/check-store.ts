import type { Static } from 'typebox';
import { connectors, type Platform } from '../../connectors/registry.ts';
import type { KeyCtx } from '../../context.ts';
import { invalidRequest } from '../../kit/http/api-error.ts';
import { closed } from '../../kit/http/shapes.ts';
import { shapeCheck } from '../../kit/http/validation.ts';
import type { NewStore } from './store.schema.ts';
import type { StoreConsent } from './store-row.ts';

type Asked = Static<typeof NewStore>;

const checks = new Map<Platform, (value: unknown) => string | null>();

/** What the store is read with, as its platform wants it; null where there is nothing to read. */
export function checkCredentials(platform: Platform, credentials: Asked['credentials']): unknown {
  const { credentials: shape } = connectors[platform];
  if (shape === null) {
    if (credentials === undefined) return null;
    throw invalidRequest(`credentials: a store of the platform ${platform} is not read. Leave them out.`);
  }
  const check = checks.get(platform) ?? shapeCheck(closed({ credentials: shape }));
  checks.set(platform, check);
  const problem = check({ ...(credentials !== undefined && { credentials }) });
  if (problem !== null) throw invalidRequest(problem);
  return credentials;
}

/** What counts as consent, with who has said so and when. */
export function checkConsent(
  ctx: KeyCtx,
  platform: Platform,
  consent: Asked['consent'],
): StoreConsent | null {
  if (consent == null) return null;
  if (connectors[platform].knowsConsent)
    throw invalidRequest(`consent: ${platform} itself says which customers may be mailed. Leave it out.`);
  if ('metaKey' in consent) return consent;
  return {
    attestedBy: consent.attestedBy,
    recordedAt: ctx.app.now().toISOString(),
    recordedBy: ctx.actor,
  };
}
