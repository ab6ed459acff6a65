import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PassField } from '../passes/pass-row.ts';
import { type CardProgram, programFields, type Reader, withProgram } from './program-fields.ts';

const points: CardProgram = {
  mode: 'POINTS',
  currency: null,
  launchedAt: '2026-05-01T12:00:00+00:00',
  rewardTitle: 'Free coffee',
  rewardCost: 100,
  threshold: null,
  pointName: { one: 'point', other: 'points' },
  tiers: [],
  lifetimePoints: 0,
  drawsStamps: true,
  balance: 1250,
  pendingRewards: 0,
  nextExpiry: null,
};
const stamps: CardProgram = {
  ...points,
  mode: 'STAMPS',
  rewardCost: null,
  threshold: 10,
  pointName: { one: 'stamp', other: 'stamps' },
  balance: 3,
};
const english: Reader = { locale: 'en', timezone: 'UTC' };

/** What a card shows: `section key: label = value`. */
function shown(program: CardProgram, reader: Partial<Reader> = {}): string[] {
  return programFields(program, { ...english, ...reader })
    .filter(({ value }) => value !== null)
    .map(({ section, key, label, value }) => `${section} ${key}: ${label} = ${value}`);
}

const own = (section: PassField['section'], ...keys: string[]): PassField[] =>
  keys.map((key) => ({ key, label: key, value: key, section, editable: true, changeMessage: null }));

/** The keys of each section, in the order in which a wallet shows them. */
function sections(fields: readonly PassField[]): Record<string, string> {
  const bySection = Map.groupBy(fields, ({ section }) => section);
  return Object.fromEntries(
    [...bySection].map(([name, list]) => [name, list.map(({ key }) => key).join(' ')]),
  );
}

describe('the fields of a program', () => {
  it('show the balance and what a reward costs', () => {
    assert.deepEqual(shown(points), [
      'header loyalty-balance: Points = 1,250',
      'secondary loyalty-reward: Reward = Free coffee: 100 points',
    ]);
  });

  it('show how far the stamps have come, and rewards while there are any', () => {
    assert.deepEqual(shown(stamps), [
      'header loyalty-balance: Stamps = 3 of 10',
      'secondary loyalty-reward: Reward = Free coffee: 10 stamps',
    ]);
    assert.equal(
      shown({ ...stamps, pendingRewards: 2 })[1],
      'secondary loyalty-pending: Ready to redeem = Free coffee × 2',
    );
  });

  it('show money as money in the words of the reader, and no reward', () => {
    const money: CardProgram = {
      ...points,
      mode: 'MONEY',
      currency: 'EUR',
      rewardTitle: '',
      rewardCost: null,
      pointName: { one: 'Balance', other: 'Balance' },
      nextExpiry: { points: 500, at: '2027-01-01T00:00:00Z' },
    };
    assert.deepEqual(shown(money), [
      'header loyalty-balance: Balance = €12.50',
      'back loyalty-expiry: Next to expire = €5.00 on Dec 31, 2026',
    ]);
    assert.match(
      shown(money, { locale: 'de-DE' })[0] ?? '',
      /^header loyalty-balance: Guthaben = 12,50\s€$/u,
    );
    assert.equal(shown({ ...money, currency: 'JPY' })[0], 'header loyalty-balance: Balance = ¥1,250');
    const named = { ...money, pointName: { one: 'credit', other: 'credit' } };
    assert.equal(shown(named)[0], 'header loyalty-balance: Credit = €12.50');
  });

  it('are none before the launch, nor without a program', () => {
    assert.deepEqual(programFields({ ...points, launchedAt: null }, english), []);
    assert.deepEqual(programFields(null, english), []);
  });

  it('are the same ones whatever the account holds, so that the cards of a pass share a layout', () => {
    const layout = (program: CardProgram) =>
      programFields(program, english).map(({ key, section }) => `${key} ${section}`);
    const rich = { ...stamps, pendingRewards: 1, nextExpiry: { points: 1, at: '2027-01-01T00:00:00Z' } };
    assert.deepEqual(layout(rich), layout(stamps));
  });

  it('name the last day on which points still count, where the shop is', () => {
    const nextExpiry = { points: 20, at: '2027-01-31T23:00:00+00:00' };
    const expiry = (reader: Partial<Reader>) => shown({ ...points, nextExpiry }, reader)[2];
    assert.equal(
      expiry({ timezone: 'Europe/Berlin', locale: 'en-GB' }),
      'back loyalty-expiry: Next to expire = 20 points on 31 Jan 2027',
    );
    assert.equal(
      expiry({ timezone: 'Pacific/Auckland', locale: 'en-GB' }),
      'back loyalty-expiry: Next to expire = 20 points on 1 Feb 2027',
    );
  });

  it('count in the singular and in the plural', () => {
    const cost = (rewardCost: number, locale: string) => shown({ ...points, rewardCost }, { locale })[1];
    assert.match(String(cost(1, 'en')), /Free coffee: 1 point$/);
    assert.match(String(cost(2, 'en')), /: 2 points$/);
    // Polish has four forms; a shop names two.
    assert.deepEqual(
      [1, 3, 5].map((count) => cost(count, 'pl')?.split(': ')[2]),
      ['1 punkt', '3 punkty', '5 punktów'],
    );
    const own = { ...points, pointName: { one: 'bean', other: 'beans' }, rewardCost: 3 };
    assert.match(String(shown(own, { locale: 'pl' })[1]), /: 3 beans$/);
  });

  it('speak the language of the holder, and English where there are no words for it', () => {
    const rich = { ...stamps, pendingRewards: 1, nextExpiry: { points: 2, at: '2027-02-01T00:00:00Z' } };
    const all = (locale: string | null) =>
      shown(rich, { locale }).map((line) => line.split(': ').slice(1).join(': '));
    assert.deepEqual(all('de_AT'), [
      'Stempel = 3 von 10',
      'Zum Einlösen bereit = Free coffee × 1',
      'Prämie = Free coffee: 10 Stempel',
      'Verfällt als Nächstes = 2 Stempel am 31. Jän. 2027',
    ]);
    assert.equal(all('fr')[0], 'Tampons = 3 sur 10');
    assert.equal(all('es')[0], 'Sellos = 3 de 10');
    assert.equal(all('it')[0], 'Timbri = 3 di 10');
    assert.equal(all('ja')[0], 'スタンプ = 10中3');
    assert.match(String(all('ar')[2]), /Free coffee: (10|١٠) أختام/);
    for (const locale of ['sv', 'no language', null]) assert.equal(all(locale)[0], 'Stamps = 3 of 10');
    assert.match(String(shown({ ...points, balance: 1_234_567 }, { locale: 'de' })[0]), /1\.234\.567$/);
    const turkish = { ...points, pointName: { one: 'indirim', other: 'indirim' } };
    assert.match(String(shown(turkish, { locale: 'tr' })[0]), /İndirim/);
  });

  it('take the shop at its word, whatever it holds', () => {
    const odd = { ...points, rewardTitle: '$& {points} %@', pointName: { one: '', other: '' } };
    assert.match(String(shown(odd)[1]), /\$& \{points\} %@: 100/);
    assert.match(String(shown({ ...points, balance: -20 })[0]), /= -20$/);
  });

  it('show the lock screen the balance and of rewards, without a sign that would spoil its format', () => {
    const messages = (program: CardProgram) =>
      programFields(program, english).map(({ changeMessage }) => changeMessage);
    assert.deepEqual(messages(points), ['Points: %@', null, null]);
    assert.deepEqual(messages(stamps), ['Stamps: %@', 'Ready to redeem: %@', null, null]);
    assert.equal(messages({ ...points, pointName: { one: '%', other: '% of %@' } })[0], '%@');
  });
});

describe("a pass's own fields and those of its program", () => {
  it('stand together: the balance leads, the others follow', () => {
    const fields = [...own('header', 'h1'), ...own('secondary', 's1'), ...own('back', 'b1')];
    assert.deepEqual(sections(withProgram(fields, stamps, english)), {
      header: 'loyalty-balance h1',
      auxiliary: 's1 loyalty-reward',
      secondary: 'loyalty-pending',
      back: 'b1 loyalty-expiry',
    });
    assert.deepEqual(withProgram(fields, null, english), fields);
  });

  it('keep to the places that wallets have', () => {
    const crowded = [
      ...own('header', 'h1', 'h2', 'h3'),
      ...own('secondary', 's1'),
      ...own('auxiliary', 'a1'),
    ];
    assert.deepEqual(sections(withProgram(crowded, stamps, english)), {
      header: 'loyalty-balance h1 h2',
      auxiliary: 'h3 s1 a1 loyalty-reward',
      secondary: 'loyalty-pending',
      back: 'loyalty-expiry',
    });
    const full = own('secondary', 's1', 's2', 's3', 's4');
    assert.equal(sections(withProgram(full, points, english)).back, 'loyalty-reward loyalty-expiry');
  });

  it('leave room for primary ones where stamps are drawn in their place', () => {
    const fields = [...own('primary', 'p1'), ...own('secondary', 's1', 's2', 's3')];
    assert.equal(sections(withProgram(fields, stamps, english)).auxiliary, 's1 s2 s3');
    const plain = { ...stamps, drawsStamps: false };
    assert.equal(sections(withProgram(fields, plain, english)).auxiliary, 's1 s2 s3 loyalty-reward');
  });

  it('have no text that replaced the program before it was launched', () => {
    const [treat] = own('secondary', 'treat').map((field) => ({ ...field, untilProgram: true as const }));
    assert.ok(treat);
    const fields = [treat, ...own('auxiliary', 'hours')];
    assert.deepEqual(withProgram(fields, null, english), fields);
    assert.deepEqual(withProgram(fields, { ...stamps, launchedAt: null }, english), fields);
    assert.equal(sections(withProgram(fields, stamps, english)).auxiliary, 'hours loyalty-reward');
  });
});
