import type { Json, Reply } from '../client.ts';
import { makeCard, makePass } from '../factories.ts';
import type { Provocations } from './scenario.ts';
import type { World } from './world.ts';

/** The names in a call to the ledger, apart from what it does. */
export interface Called {
  readonly passId?: string;
  readonly identifier?: string;
  readonly instanceId?: string;
  readonly barcode?: string;
  readonly email?: string;
  readonly partnerId?: string;
  readonly points?: number;
}

/** Cards of programs, this one unless another is named, on passes of a design; and what calls on them can be refused for. */
export function callsOnCards({ client, missing, strangers }: World, usual: object, design: object = {}) {
  /** A program whose card is "ada"'s. */
  async function open(program: object = usual, status = 'active', more: object = {}): Promise<Json> {
    const { passId } = await makePass(client, { ...design, ...more });
    const { programId } = (await client.post('/loyalty/programs', { ...program, passId })).body;
    if (status !== 'not_launched') await client.patch(`/loyalty/programs/${programId}`, { status: 'active' });
    if (status === 'paused') await client.patch(`/loyalty/programs/${programId}`, { status });
    const { instanceId } = await makeCard(client, passId, { holder: { identifier: 'ada' } });
    return { passId, instanceId };
  }

  /** What every call that names a pass can be refused for. */
  function onPass(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      pass_not_found: () => call({ passId: missing.passId, identifier: 'ada' }),
      forbidden: () => call({ passId: strangers.passId, identifier: 'ada' }),
      no_loyalty_program: async () => call({ passId: (await makePass(client)).passId, identifier: 'ada' }),
      holder_not_found: async () => call({ passId: (await open()).passId, identifier: 'missing' }),
    };
  }

  /** What a call that gives or takes value can be refused for besides that. */
  function onGoodCard(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      ...onCard(call),
      async instance_expired() {
        const { passId } = await open();
        await client.patch(`/passes/${passId}`, { expiry: { kind: 'fixed', at: '2020-01-01T00:00:00Z' } });
        return call({ passId, identifier: 'ada' });
      },
    };
  }

  /** What every call that names a card of a pass in its body can be refused for. */
  function onCard(call: (called: Called) => Promise<Reply>): Provocations {
    return {
      ...onPass(call),
      partner_not_found: async () =>
        call({ passId: (await open()).passId, identifier: 'ada', partnerId: missing.partnerId }),
      program_not_launched: async () =>
        call({ passId: (await open(usual, 'not_launched')).passId, identifier: 'ada' }),
      program_inactive: async () => call({ passId: (await open(usual, 'paused')).passId, identifier: 'ada' }),
      instance_not_found: async () => call({ passId: (await open()).passId, instanceId: missing.instanceId }),
      async ambiguous_barcode() {
        const design = { barcode: { mode: 'simple', value: 'SHARED' } };
        const { passId } = await open(usual, 'active', design);
        await makeCard(client, passId);
        return call({ passId, barcode: 'SHARED' });
      },
      async ambiguous_holder() {
        const { passId } = await open();
        const holder = { email: 'shared@example.com' };
        for (const identifier of ['bob', 'eve'])
          await makeCard(client, passId, { holder: { ...holder, identifier } });
        return call({ passId, ...holder });
      },
      async instance_voided() {
        const { passId, instanceId } = await open();
        await client.post(`/instances/${instanceId}/void`);
        return call({ passId, identifier: 'ada' });
      },
    };
  }

  return { open, onPass, onCard, onGoodCard };
}
