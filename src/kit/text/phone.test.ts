import assert from 'node:assert/strict';
import { it } from 'node:test';
import { dialled, e164 } from './phone.ts';

it('compares what is dialled', () => {
  const same = ['+491711234567', '+49 171 1234567', '0049 (171) 123-4567', '+49 (0)171/123.45.67'];
  for (const phone of same) assert.equal(dialled(phone), '+491711234567');
  assert.equal(dialled('0171 1234567'), '01711234567');
});

it('gives the form of E.164 to numbers that name their country, and to no others', () => {
  assert.equal(e164('0044 20 7946 0000'), '+442079460000');
  for (const phone of ['0171 1234567', '+0171 1234567', '+49', '+49+1711234567', '+4917112345678901'])
    assert.equal(e164(phone), null);
});
