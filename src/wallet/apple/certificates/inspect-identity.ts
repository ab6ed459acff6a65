import { isIssuedBy } from './certificate-fields.ts';
import type { SigningIdentity } from './certificates.ts';

/** One line of a health report. `advice` says what to do about it. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly what: string;
  readonly advice?: string;
}

/**
 * The state of a signing identity at `now`: pass type, team, days left, chain, key, and who accepts its passes. One that is
 * a workspace's own is renewed there, and not by a setting.
 */
export function inspectIdentity(identity: SigningIdentity, now: Date, isOwn = false): Finding[] {
  if (isOwn)
    return inspectIdentity(identity, now).map((finding) =>
      finding.advice === undefined ? finding : { ...finding, advice: ownAdvice },
    );
  return [
    { level: 'ok', what: `Pass type identifier ${identity.passTypeIdentifier}` },
    { level: 'ok', what: `Team identifier ${identity.teamIdentifier}` },
    inspectKey(identity),
    inspectChain(identity),
    inspectLeafValidity(identity, now),
    inspectValidity(
      'WWDR intermediate',
      identity.wwdr.validFromDate,
      identity.wwdr.validToDate,
      now,
      wwdrAdvice,
    ),
    inspectTrust(identity),
  ];
}

const leafAdvice =
  'Create a new certificate for the same pass type identifier in the Apple Developer account, set ' +
  'APPLE_PASS_CERT and APPLE_PASS_KEY, and restart. Installed passes stay, but updates and pushes stop when it expires.';
const wwdrAdvice =
  'Renew the pass certificate first, then set APPLE_WWDR_CERT to the intermediate it names, from ' +
  'https://www.apple.com/certificateauthority/.';

const ownAdvice =
  'The owner of the workspace gives one that Apple has issued for the same pass type with PUT /workspace/wallets/apple. Installed passes stay, but updates and pushes stop when it expires.';

const dayMs = 86_400_000;

function inspectKey({ certificate, privateKey }: SigningIdentity): Finding {
  if (certificate.checkPrivateKey(privateKey))
    return { level: 'ok', what: 'The key belongs to the certificate' };
  return {
    level: 'error',
    what: 'The key does not belong to the certificate',
    advice: 'Set APPLE_PASS_KEY to the key that the certificate request was made with.',
  };
}

function inspectChain({ certificate, wwdr, root }: SigningIdentity): Finding {
  if (!isIssuedBy(certificate, wwdr)) {
    return {
      level: 'error',
      what: 'The WWDR intermediate did not issue the pass certificate',
      advice: wwdrAdvice,
    };
  }
  if (root && !isIssuedBy(wwdr, root)) {
    return {
      level: 'error',
      what: 'The root certificate did not issue the WWDR intermediate',
      advice: 'Remove the root certificate from the files; it is optional.',
    };
  }
  return { level: 'ok', what: 'The chain from the pass certificate to its issuer is complete' };
}

function inspectLeafValidity({ certificate, development }: SigningIdentity, now: Date): Finding {
  const { validFromDate, validToDate } = certificate;
  const finding = inspectValidity('Pass certificate', validFromDate, validToDate, now, leafAdvice);
  if (!development || finding.level === 'ok') return finding;
  if (daysBetween(now, validToDate) >= 30) return { level: 'ok', what: finding.what };
  return { ...finding, advice: 'Restart the service: it renews the development certificate.' };
}

function inspectValidity(name: string, from: Date, to: Date, now: Date, advice: string): Finding {
  const until = to.toISOString().slice(0, 10);
  const days = daysBetween(now, to);
  if (from > now) {
    const start = from.toISOString().slice(0, 10);
    return { level: 'error', what: `${name}: valid from ${start} only`, advice: 'Check the clock.' };
  }
  if (to <= now) return { level: 'error', what: `${name}: expired on ${until}`, advice };
  const what = `${name}: ${days} ${days === 1 ? 'day' : 'days'} left, until ${until}`;
  if (days > 90) return { level: 'ok', what };
  return { level: 'warning', what, advice: `${urgency(days)} ${advice}` };
}

function urgency(days: number): string {
  if (days <= 7) return 'Renew it today.';
  return days <= 30 ? 'Renew it this week.' : 'Plan its renewal.';
}

function daysBetween(from: Date, to: Date): number {
  return Math.floor((to.getTime() - from.getTime()) / dayMs);
}

function inspectTrust({ development }: SigningIdentity): Finding {
  if (!development) return { level: 'ok', what: 'Issued by Apple: phones accept the passes' };
  return {
    level: 'warning',
    what: 'Development certificate: phones will not accept the passes',
    advice: 'Set APPLE_PASS_CERT, APPLE_PASS_KEY and APPLE_WWDR_CERT to certificates issued by Apple.',
  };
}
