import assert from 'node:assert/strict';
import type { Client, Json, Reply } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { assertInvariants } from '../../test/invariants.ts';
import { makeProgram } from '../loyalty/account.fixture.ts';

/** Two points for each euro, five more for each order; ten buy a coffee. */
export const euros = {
  mode: 'POINTS',
  reward: { title: 'Coffee', cost: 10 },
  earn: { perCurrencyUnit: 2, perOrder: 5 },
};

/** A shop that sends in its orders. */
export class Shop {
  readonly client: Client;
  readonly passId: string;
  readonly programId: string;
  readonly #app: TestApp;

  private constructor(app: TestApp, client: Client, passId: string, programId: string) {
    this.#app = app;
    this.client = client;
    this.passId = passId;
    this.programId = programId;
  }

  static async open(app: TestApp, program: object = euros, design: object = {}): Promise<Shop> {
    const { client } = await app.newWorkspace();
    const made = await makeProgram(client, program, { design });
    return new Shop(app, client, made.pass.passId, made.program.programId);
  }

  /** Sends in an order of ten euros by Ada by default. */
  process(orderId: string, more: object = {}): Promise<Reply> {
    return this.client.post('/orders/process', {
      passId: this.passId,
      orderId,
      customer: { id: 'ada' },
      total: { amount: '10.00', currency: 'EUR' },
      ...more,
    });
  }

  refund(orderId: string, refundId: string, amount: string, currency = 'EUR'): Promise<Reply> {
    const path = `/orders/${encodeURIComponent(orderId)}/refunds`;
    return this.client.post(path, { refundId, amount: { amount, currency } });
  }

  cancel(orderId: string, body: object = {}): Promise<Reply> {
    return this.client.post(`/orders/${encodeURIComponent(orderId)}/cancel`, body);
  }

  /** Takes back the cancellation of an order that is still to come. */
  withdraw(orderId: string): Promise<Reply> {
    return this.client.delete(`/orders/${encodeURIComponent(orderId)}/cancel`);
  }

  async order(orderId: string): Promise<Json> {
    const { status, body, text } = await this.client.get(`/orders/${encodeURIComponent(orderId)}`);
    assert.equal(status, 200, text);
    return body;
  }

  async balance(identifier = 'ada'): Promise<number> {
    const { status, body, text } = await this.client.get(
      `/loyalty/holders/${identifier}?passId=${this.passId}`,
    );
    assert.equal(status, 200, text);
    return body.balance;
  }

  /** The ledger of the pass, the oldest entry first: `earn +25 = 25`. */
  async story(): Promise<string[]> {
    const { body } = await this.client.get(`/loyalty/entries?passId=${this.passId}&limit=100`);
    return body.data
      .map(({ kind, points, balance }: Json) => `${kind} ${points > 0 ? '+' : ''}${points} = ${balance}`)
      .reverse();
  }

  async cards(): Promise<Json[]> {
    return (await this.client.get(`/passes/${this.passId}/instances?limit=100`)).body.data;
  }

  /** Ledger, counts and balances agree. */
  assertSound(): Promise<void> {
    return assertInvariants(this.#app.sql);
  }
}
