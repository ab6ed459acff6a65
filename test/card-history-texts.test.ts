import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { TimelineKind } from '../src/events/timeline.sql.ts';
import { de } from '../web/texts/de/cards.ts';
import { de as deAtTill } from '../web/texts/de/scanner.ts';
import { en } from '../web/texts/en/cards.ts';
import { en as enAtTill } from '../web/texts/en/scanner.ts';

/** Every kind there is: a new one does not compile until it stands here. */
const kinds: Readonly<Record<TimelineKind, true>> = {
  'instance.issued': true,
  'instance.installed': true,
  'instance.removed': true,
  'instance.updated': true,
  'instance.voided': true,
  'instance.reactivated': true,
  'instance.erased': true,
  'instance.link_opened': true,
  'instance.fetched': true,
  'instance.reported': true,
  'instance.issue_repeated': true,
  'instance.unchanged': true,
  'push.delivered': true,
  'push.skipped': true,
  'push.failed': true,
  'push.repeated': true,
  'pass.updated': true,
  'message.sent': true,
};

it('the history of a card has words for every kind of line, in each language', () => {
  for (const { events } of [en, de])
    assert.deepEqual(
      Object.keys(kinds).filter((kind) => events[kind] === undefined),
      [],
    );
});

it('the history of a card says who did something, and calls the service what the service did only', () => {
  assert.deepEqual(['person_1', 'key_1', 'store_1', 'pass_1', 'holder', 'operator', 'system'].map(en.actor), [
    'a person',
    'an API key',
    'a store',
    'the enrolment page',
    'the holder',
    'the operator',
    'the service',
  ]);
});

it('a reward that an undone award takes back has the same name in the console and at the till', () => {
  for (const [there, atTill] of [
    [en, enAtTill],
    [de, deAtTill],
  ] as const)
    assert.deepEqual(
      [there.kinds.cancel, there.kinds.unlock],
      [atTill.entries.kinds.cancel, atTill.entries.kinds.unlock],
    );
});
