import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SigningIdentity } from './certificates.ts';
import { inspectIdentity } from './inspect-identity.ts';
import {
  daysFromNow,
  leaf,
  leafKeys,
  makeLeaf,
  makeRoot,
  makeWwdr,
  now,
  passTypeIdentifier,
  root,
  teamIdentifier,
  wwdr,
  wwdrKeys,
} from './signing.fixture.ts';

const identity: SigningIdentity = {
  passTypeIdentifier,
  teamIdentifier,
  organizationName: 'Example Ltd',
  certificate: leaf,
  privateKey: leafKeys.privateKey,
  wwdr,
  root,
  development: false,
  nfc: false,
};

function problems(changes: Partial<SigningIdentity>, at: Date = now): string[] {
  return inspectIdentity({ ...identity, ...changes }, at)
    .filter(({ level }) => level !== 'ok')
    .map(({ level, what, advice }) => `${level}: ${what} | ${advice}`);
}

function expiringIn(days: number): Partial<SigningIdentity> {
  return { certificate: makeLeaf({ notAfter: daysFromNow(days + 0.5) }) };
}

describe('inspectIdentity', () => {
  it('has only good news about a fresh certificate', () => {
    const findings = inspectIdentity(identity, now);
    assert.deepEqual([...new Set(findings.map(({ level }) => level))], ['ok']);
    const text = findings.map(({ what }) => what).join('\n');
    for (const expected of [
      passTypeIdentifier,
      teamIdentifier,
      'Pass certificate: 264 days left',
      'WWDR intermediate: 1999 days left',
    ]) {
      assert.ok(text.includes(expected), `${expected} in ${text}`);
    }
  });

  it('warns about the expiry, more urgently at 30 and 7 days', () => {
    assert.deepEqual(problems(expiringIn(91)), []);
    assert.match(
      problems(expiringIn(90)).join(),
      /^warning: Pass certificate: 90 days left, .*Plan its renewal/,
    );
    assert.match(problems(expiringIn(30)).join(), /^warning: .* 30 days left.*Renew it this week/);
    assert.match(problems(expiringIn(7)).join(), /^warning: .* 7 days left.*Renew it today/);
    assert.match(problems(expiringIn(1)).join(), /1 day left/);
  });

  it('calls an expired or not yet valid certificate an error', () => {
    assert.match(
      problems(expiringIn(-2)).join(),
      /^error: Pass certificate: expired on .*Create a new certificate/,
    );
    const certificate = makeLeaf({ notBefore: daysFromNow(2) });
    assert.match(problems({ certificate }).join(), /^error: Pass certificate: valid from .*clock/);
  });

  it('watches the intermediate as well', () => {
    const soon = makeWwdr({ notAfter: daysFromNow(20.5) });
    assert.match(problems({ wwdr: soon }).join(), /^warning: WWDR intermediate: 20 days left/);
    const expired = makeWwdr({ notAfter: daysFromNow(-1) });
    assert.match(problems({ wwdr: expired }).join(), /^error: WWDR intermediate: expired/);
  });

  it('finds a foreign key, intermediate and root', () => {
    assert.match(problems({ privateKey: wwdrKeys.privateKey }).join(), /^error: The key does not belong/);
    assert.match(
      problems({ wwdr: makeWwdr({ unit: 'G3' }) }).join(),
      /^error: The WWDR intermediate did not issue/,
    );
    const stranger = makeRoot({ keys: leafKeys });
    assert.match(problems({ root: stranger }).join(), /^error: The root certificate did not issue/);
    assert.deepEqual(problems({ root: null }), []);
  });

  it('says that phones refuse a development certificate, which renews by itself', () => {
    const development = { ...expiringIn(60), development: true };
    assert.match(problems(development).join(), /^warning: Development certificate: phones will not accept/);
    const late = problems({ ...expiringIn(20), development: true }).join('\n');
    assert.match(late, /20 days left.*Restart the service/);
  });
});
