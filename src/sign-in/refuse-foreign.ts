import type { PublicCtx } from '../context.ts';
import { advised, invalidRequest } from '../kit/http/api-error.ts';
import type { Input } from '../kit/http/endpoints/endpoint.ts';
import { isForeign } from '../kit/http/endpoints/same-origin.ts';

/** Refuses what another site has a browser send: it could sign a person in as another one. */
export function refuseForeign({ app }: PublicCtx, headers: Input['headers']): void {
  const { publicUrl } = app.config;
  if (isForeign(headers, { method: 'POST', isPage: false, publicUrl }))
    throw advised(
      invalidRequest('Another site has sent this. Open the address of the service itself.'),
      'otherSite',
    );
}
