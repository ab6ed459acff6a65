import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { greetable, senderName } from '../mail/mail-names.ts';

describe('greetable', () => {
  it('takes names of people in any script', () => {
    const names = [
      'Ada',
      'Ada Lovelace',
      "Brian O'Brien",
      'Jean-Luc',
      'J. R. Smith',
      'Dr. Müller',
      '李小龙',
      'Νίκος',
      'محمد علي',
      'María José Núñez',
    ];
    for (const name of [...names, 'anna müller', 'Nguyễn Văn A', 'नमिता'])
      assert.equal(greetable(name), name);
    assert.equal(greetable(' Ａda '), 'Ada');
  });

  it('takes no sentence, number, link, address, or host in letters that look like a dot', () => {
    const wrong = [
      'You have won',
      'Your account is locked',
      'Call 0900 12345',
      'x@example.com',
      'https://x',
      'example.com',
      'example．com',
      'example。com',
      'example․com',
      'example·com',
      'example・com',
      'www.x',
      'Ann!',
      'Ann, open this',
      'hxxp://x',
      'a/b',
      '<b>',
      '☎',
      'A'.repeat(41),
      '',
      '  ',
      'Ann\u2028Bob: hi',
    ];
    for (const name of wrong) assert.equal(greetable(name), null, name);
    assert.equal(greetable(null), null);
  });
});

describe('senderName', () => {
  it('is the shop, unless the shop calls itself an address or a link', () => {
    for (const name of ['Café Example', 'Dr.Oetker', 'A & B']) assert.equal(senderName(name), name);
    for (const name of ['security@bank.example', 'Bank ＜x＠y＞', 'https://bank.example', 'www.bank.example'])
      assert.equal(senderName(name), 'Punchcard');
  });
});
