import type { TestApp } from '../harness.ts';
import { cardScenarios } from './cards.ts';
import { imageScenarios } from './images.ts';
import { inviteScenarios, joinScenarios } from './invites.ts';
import { linkScenarios } from './links.ts';
import { loyaltyScenarios } from './loyalty.ts';
import { orderScenarios } from './orders.ts';
import { partnerScenarios } from './partners.ts';
import { passScenarios } from './passes.ts';
import { peopleScenarios, sessionScenarios } from './people.ts';
import type { Scenarios } from './scenario.ts';
import { serviceScenarios } from './service.ts';
import { storeScenarios } from './stores.ts';
import { sweepScenarios } from './sweeps.ts';
import { valueScenarios } from './value.ts';
import { webhookScenarios } from './webhooks.ts';
import { workspaceScenarios } from './workspaces.ts';
import { makeWorld, type World } from './world.ts';

/** How to call every operation well, and how to provoke each of its errors, in this workspace or a new one. */
export async function makeScenarios(
  app: TestApp,
  workspace?: Pick<World, 'client' | 'workspaceId'>,
): Promise<{ world: World; scenarios: Scenarios }> {
  const world = await makeWorld(app, workspace ?? (await app.newWorkspace()));
  const scenarios = {
    ...serviceScenarios(world),
    ...workspaceScenarios(world),
    ...peopleScenarios(world),
    ...sessionScenarios(world),
    ...passScenarios(world),
    ...imageScenarios(world),
    ...cardScenarios(world),
    ...linkScenarios(world),
    ...(await loyaltyScenarios(world)),
    ...(await valueScenarios(world)),
    ...(await orderScenarios(world)),
    ...partnerScenarios(world),
    ...storeScenarios(world),
    ...sweepScenarios(world),
    ...inviteScenarios(world),
    ...(await joinScenarios(world)),
    ...webhookScenarios(world),
  };
  return { world, scenarios };
}
