import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mailboxOf } from './mailbox.ts';

it('mailboxOf leaves tags aside, and dots at Gmail', () => {
  for (const address of ['ada@example.com', 'ada+@example.com', 'ada+a+b@example.com'])
    assert.equal(mailboxOf(address), 'ada@example.com');
  for (const address of ['a.da@gmail.com', 'ada+x@googlemail.com', 'ad.a@gmail.com'])
    assert.equal(mailboxOf(address), 'ada@gmail.com');
  assert.equal(mailboxOf('a.da@example.com'), 'a.da@example.com');
  assert.equal(mailboxOf('+tag@example.com'), '+tag@example.com');
});
