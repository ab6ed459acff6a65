import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoreCustomer } from '../../connectors/connector.ts';
import type { StoreConsent } from '../../stores/store-row.ts';
import { considerCustomers, cutAtLimit, decideOutcomes, inviteesOf } from './decide-outcomes.ts';
import { addOutcomes, countOf, noCounts, type Outcome } from './sweep-row.ts';

const domain = 'blue-bean.myshopify.com';

function customer(customerId: string, parts: Partial<StoreCustomer> = {}): StoreCustomer {
  return {
    customerId,
    email: `c${customerId}@mail.example`,
    name: 'Ada',
    locale: 'en',
    consent: 'granted',
    meta: {},
    ...parts,
  };
}

/** What the consent of a customer with these fields comes to, where the platform does not know it. */
function byRule(consent: StoreConsent | null, meta: Record<string, string>): string {
  const [one] = considerCustomers([customer('1', { consent: 'unknown', meta })], { domain, consent }, false);
  assert.ok(one);
  return 'outcome' in one ? one.outcome : 'invitee';
}

describe('who of a page may be invited', () => {
  test('only who has agreed, where the platform knows it; the merchant cannot overrule it', () => {
    const consent = { attestedBy: 'Ada', recordedAt: '2026-11-22T00:00:00Z', recordedBy: 'key_1' };
    const page = (['granted', 'denied', 'unknown'] as const).map((said) => customer(said, { consent: said }));
    const considered = considerCustomers(page, { domain, consent }, true);
    assert.deepEqual(
      considered.map((one) => ('outcome' in one ? one.outcome : one.invitee.identifier)),
      [`${domain}/granted`, 'no_consent', 'consent_unknown'],
    );
  });

  test('where it does not, a field of the customer or the word of the merchant decides', () => {
    const rule = { metaKey: 'newsletter', metaValue: 'yes' };
    assert.equal(byRule(rule, { newsletter: 'yes' }), 'invitee');
    assert.equal(byRule(rule, { newsletter: 'no' }), 'no_consent');
    assert.equal(byRule(rule, { newsletter: 'YES' }), 'no_consent');
    assert.equal(byRule(rule, {}), 'consent_unknown');
    assert.equal(byRule({ metaKey: 'toString', metaValue: 'x' }, {}), 'consent_unknown');
    assert.equal(byRule(null, { newsletter: 'yes' }), 'consent_unknown');
    const attested = { attestedBy: 'Ada', recordedAt: '2026-11-22T00:00:00Z', recordedBy: 'key_1' };
    assert.equal(byRule(attested, {}), 'invitee');
  });

  test('without an address there is no consent to look for', () => {
    const page = [customer('1', { email: null, consent: 'denied' }), customer('2', { email: ' ' })];
    const considered = considerCustomers(page, { domain, consent: null }, true);
    assert.deepEqual(
      considered.map((one) => ('outcome' in one ? one.outcome : one.invitee)),
      ['no_contact', 'no_contact'],
    );
  });

  test('a customer who is named twice counts once, as the first time', () => {
    const page = [customer('1'), customer('2', { consent: 'denied' }), customer('1', { consent: 'denied' })];
    const considered = considerCustomers(page, { domain, consent: null }, true);
    assert.deepEqual(
      considered.map(({ customerId }) => customerId),
      ['1', '2'],
    );
    assert.equal(inviteesOf(considered).length, 1);
  });
});

describe('the outcomes of a page', () => {
  const page = considerCustomers(
    [
      customer('1'),
      customer('2', { consent: 'denied' }),
      customer('3'),
      customer('4'),
      customer('5', { consent: 'unknown' }),
    ],
    { domain, consent: null },
    true,
  );
  const judged = (['invited', 'suppressed', 'invited'] as const).map((verdict) => ({
    verdict,
    inviteId: null,
  }));

  test('each customer gets one outcome, in the order of the page', () => {
    assert.deepEqual(
      decideOutcomes(page, judged).map(({ customerId, outcome }) => [customerId, outcome]),
      [
        ['1', 'invited'],
        ['2', 'no_consent'],
        ['3', 'suppressed'],
        ['4', 'invited'],
        ['5', 'consent_unknown'],
      ],
    );
  });

  test('the page ends with the customer who makes up the number', () => {
    const cut = (left: number) => {
      const { within, isFull } = cutAtLimit(page, judged, left);
      return [within.map(({ customerId }) => customerId).join(''), isFull];
    };
    assert.deepEqual(cut(1), ['1', true]);
    assert.deepEqual(cut(2), ['1234', true]);
    assert.deepEqual(cut(3), ['12345', false]);
    assert.deepEqual(cut(Number.POSITIVE_INFINITY), ['12345', false]);
  });

  test('the counts of the outcomes add up to those that were found', () => {
    const outcomes = Object.keys(countOf) as Outcome[];
    const twice = addOutcomes(addOutcomes(noCounts, outcomes), ['invited', 'no_contact']);
    const { found, ...parts } = twice;
    assert.equal(found, outcomes.length + 2);
    assert.equal(
      Object.values(parts).reduce((sum, count) => sum + count, 0),
      found,
    );
    assert.deepEqual([twice.invited, twice.noContact, twice.suppressed], [2, 2, 1]);
  });
});
