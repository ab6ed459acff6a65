import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeProgram } from '../../src/loyalty/account.fixture.ts';
import type { Json, Reply } from '../client.ts';
import { makeCard } from '../factories.ts';
import { startTestApp } from '../harness.ts';
import { assertInvariants } from '../invariants.ts';

const runs = Number(process.env.LEDGER_SEQUENCES ?? 12);
const seed = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31);
const app = await startTestApp({ WORKERS: 'off' });

/** A call of a wave, on the first or the second card; `back` names an entry of an earlier wave. */
type Step = { readonly card: 0 | 1 } & (
  | { readonly op: 'load'; readonly cents: number }
  | { readonly op: 'charge'; readonly cents: number; readonly partial: boolean }
  | { readonly op: 'refund'; readonly cents: number | null; readonly back: number }
  | { readonly op: 'reverse'; readonly back: number }
  | { readonly op: 'transfer'; readonly cents: number | null }
);

const card = fc.constantFrom(0 as const, 1 as const);
const cents = fc.integer({ min: 1, max: 1_000 });
const back = fc.nat({ max: 5 });
const some = fc.option(cents);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ op: fc.constant('load' as const), card, cents }),
  fc.record({ op: fc.constant('charge' as const), card, cents, partial: fc.boolean() }),
  fc.record({ op: fc.constant('refund' as const), card, cents: some, back }),
  fc.record({ op: fc.constant('reverse' as const), card, back }),
  fc.record({ op: fc.constant('transfer' as const), card, cents: some }),
);
const waves = fc.array(fc.array(step, { minLength: 1, maxLength: 10 }), { minLength: 2, maxLength: 6 });

const euros = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: 'EUR' });
const centsOf = ({ amount }: Json) => Math.round(Number(amount) * 100);

describe('money on cards, whatever is done at once', () => {
  it(`is what was answered, to the cent: never below zero, nothing given back twice (seed ${seed})`, async () => {
    const { client } = await app.newWorkspace('pro', 1_000_000);
    const money = { mode: 'MONEY', currency: 'EUR' };
    const { pass } = await makeProgram(client, money, { design: { type: 'giftCard' } });
    let refs = 0;

    async function play(plan: readonly (readonly Step[])[]): Promise<void> {
      const cards = [await makeCard(client, pass.passId), await makeCard(client, pass.passId)] as const;
      const held = [0, 0];
      /** Loads and charges, with the card, what they moved, and what was undone of it. */
      const entries: { entryId: string; card: 0 | 1; moved: number; undone: number }[] = [];
      for (const wave of plan) {
        const earlier = [...entries];
        const calls = wave.map((one) => {
          refs += 1;
          return { one, ref: `ref-${refs}`, entry: 'back' in one ? earlier.at(-1 - one.back) : undefined };
        });
        const send = ({ one, ref, entry }: (typeof calls)[number]): Promise<Reply> => {
          const { passId, instanceId } = cards[one.card];
          const target = { passId, instanceId, externalRef: ref };
          switch (one.op) {
            case 'load':
              return client.post('/value/load', { ...target, amount: euros(one.cents) });
            case 'charge':
              return client.post('/value/charge', {
                ...target,
                amount: euros(one.cents),
                partial: one.partial,
              });
            case 'refund':
              return client.post('/value/refund', {
                entryId: entry?.entryId ?? 'entry_none',
                refundId: ref,
                ...(one.cents !== null && { amount: euros(one.cents) }),
              });
            case 'reverse':
              return client.post(`/loyalty/entries/${entry?.entryId ?? 'entry_none'}/reverse`, {
                externalRef: ref,
              });
            case 'transfer':
              return client.post('/value/transfer', {
                passId,
                from: { instanceId },
                to: { instanceId: cards[one.card === 0 ? 1 : 0].instanceId },
                externalRef: ref,
                ...(one.cents !== null && { amount: euros(one.cents) }),
              });
          }
        };
        const replies = await Promise.all(calls.map(send));
        for (const [at, { one, entry }] of calls.entries()) {
          const { status, body, text } = replies[at] as Reply;
          assert.ok([200, 202, 400, 404, 409].includes(status), text);
          if (status >= 300) continue;
          if (one.op === 'load') {
            assert.equal(centsOf(body.loaded), one.cents);
            held[one.card] = (held[one.card] ?? 0) + one.cents;
            entries.push({ entryId: body.entryId, card: one.card, moved: one.cents, undone: 0 });
          } else if (one.op === 'charge') {
            const charged = centsOf(body.charged);
            assert.equal(charged + centsOf(body.due), one.cents);
            assert.ok(one.partial || charged === one.cents, text);
            held[one.card] = (held[one.card] ?? 0) - charged;
            entries.push({ entryId: body.entryId, card: one.card, moved: -charged, undone: 0 });
          } else if (one.op === 'transfer') {
            const moved = centsOf(body.transferred);
            const other = one.card === 0 ? 1 : 0;
            held[one.card] = (held[one.card] ?? 0) - moved;
            held[other] = (held[other] ?? 0) + moved;
          } else if (entry !== undefined) {
            const given = one.op === 'refund' ? centsOf(body.refunded) : body.points;
            entry.undone += given;
            held[entry.card] = (held[entry.card] ?? 0) + given;
          }
        }
        for (const { moved, undone } of entries)
          assert.ok(moved > 0 ? undone === 0 || undone === -moved : undone >= 0 && undone <= -moved);
        await assertHeld(cards, held);
        // Every answer is given again, byte for byte, and nothing moves.
        const taken = calls.filter((_, at) => (replies[at]?.status ?? 0) < 300);
        const again = await Promise.all(taken.toReversed().map(send));
        const first = replies.filter(({ status }) => status < 300).toReversed();
        assert.deepEqual(
          again.map(({ text }) => text),
          first.map(({ text }) => text),
        );
        await assertHeld(cards, held);
      }
    }

    async function assertHeld(cards: readonly Json[], held: readonly number[]): Promise<void> {
      for (const [at, { instanceId }] of cards.entries()) {
        const { body } = await client.get(`/instances/${instanceId}`);
        assert.deepEqual(body.loyalty.amount, euros(held[at] ?? 0));
        assert.ok((held[at] ?? 0) >= 0);
      }
    }

    await fc.assert(fc.asyncProperty(waves, play), { numRuns: runs, seed, endOnFailure: true });
    await assertInvariants(app.sql);
  });
});
