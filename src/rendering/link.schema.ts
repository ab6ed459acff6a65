import { Type } from 'typebox';
import { closed } from '../kit/http/schemas/shapes.ts';

/** The last part of a link. */
export const LinkToken = Type.String({ minLength: 1, maxLength: 255, description: "the holder's secret" });
export const LinkPath = closed({ token: LinkToken });

/** Headers of whatever a link opens. It is a secret: it goes into no index, no referrer and no shared cache. */
export const privately = {
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'private, no-cache',
};

/** Those of a page with this policy; no other page may show it in a frame, but those of the hosts. */
export function pageHeaders(policy: string, hosts: readonly string[] = []) {
  const ancestors =
    hosts.length === 0 ? "'none'" : ["'self'", ...hosts.map((host) => `https://${host}`)].join(' ');
  return { ...privately, 'content-security-policy': `${policy}; frame-ancestors ${ancestors}` };
}
