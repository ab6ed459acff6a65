import { Sender } from '../../sdk/typescript/src/core/sender.ts';
import type { Punchcard } from '../../sdk/typescript/src/punchcard.ts';
import { HoldersResource } from '../../sdk/typescript/src/resources/holders.ts';
import { InstancesResource } from '../../sdk/typescript/src/resources/instances.ts';
import { LoyaltyResource } from '../../sdk/typescript/src/resources/loyalty.ts';
import { PassesResource } from '../../sdk/typescript/src/resources/passes.ts';
import { ProgramsResource } from '../../sdk/typescript/src/resources/programs.ts';
import { ValueResource } from '../../sdk/typescript/src/resources/value.ts';
import { byCookie } from '../shared/by-cookie.ts';
import { loseSession } from './who.ts';

/** The part of the API that a till calls. The whole client would add some 3 kB to what the scanner loads at first. */
export type TillApi = Pick<Punchcard, 'holders' | 'instances' | 'loyalty' | 'passes' | 'programs' | 'value'>;

const sender = new Sender(byCookie(loseSession));

/** The public API, called as the person who is signed in at the till. */
export const api: TillApi = {
  holders: new HoldersResource(sender),
  instances: new InstancesResource(sender),
  loyalty: new LoyaltyResource(sender),
  passes: new PassesResource(sender),
  programs: new ProgramsResource(sender),
  value: new ValueResource(sender),
};
