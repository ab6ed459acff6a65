import type { Placement } from '../kit/citus/citus.ts';

/** Where the tables live on a Citus cluster: those of a workspace on one node, what leads to a workspace on the coordinator. */
export const placement: Placement = {
  by: 'workspace_id',
  everywhere: ['workspaces'],
  coordinator: ['api_keys', 'api_key_secrets', 'due_workspaces', 'memberships', 'devices'],
};
