import { inAppBrowser } from './browsers.ts';

/** Why there is no picture of a camera. */
export type Trouble = 'insecure' | 'unsupported' | 'in-app' | 'refused' | 'none' | 'busy' | 'lost' | 'failed';

/** What to show where the camera could not be opened. */
export function troubleOf(
  error: unknown,
  { isSecureContext, userAgent }: { readonly isSecureContext: boolean; readonly userAgent: string },
): Trouble {
  if (!isSecureContext) return 'insecure';
  const trouble = troubles[errorName(error)] ?? 'failed';
  const isKeptAway = trouble === 'refused' || trouble === 'unsupported';
  return isKeptAway && inAppBrowser(userAgent) ? 'in-app' : trouble;
}

const troubles: Readonly<Record<string, Trouble>> = {
  NotSupportedError: 'unsupported',
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** The name of what a browser raises; empty where it has none. */
export function errorName(error: unknown): string {
  const { name } = Object(error) as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
}
