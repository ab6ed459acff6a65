import { errors } from '../../src/errors.ts';
import { owned } from '../access-refusals.ts';
import { makeEvent } from '../events.ts';
import type { Scenarios } from './scenario.ts';
import type { World } from './world.ts';

/** Pages of the service itself, and what it has recorded. */
export function serviceScenarios({ app, client, pass, missing, strangers }: World): Scenarios {
  return {
    getHealth: { good: () => ({}) },
    getReadiness: { good: () => ({}) },
    getMetrics: { good: () => ({}) },
    getOpenApi: { good: () => ({}) },
    getReference: { good: () => ({}) },
    getReferencePage: { good: () => ({ path: '/docs/errors' }) },
    searchReference: { good: () => ({}) },

    listRequests: { good: () => ({}) },
    // Requests are kept a moment after their answer.
    getRequest: { good: () => ({ path: '/requests/missing', status: errors.request_not_found[0] }) },
    listAudit: { good: () => ({}) },
    getTrace: { good: () => ({ path: '/trace/missing', status: errors.request_not_found[0] }) },
    getEvent: {
      good: async () => ({
        path: `/events/${await makeEvent(app, client)}`,
        also: owned,
      }),
    },
    listEvents: {
      good: () => ({ path: `/events?passId=${pass.passId}`, also: owned }),
      errors: {
        pass_not_found: () => client.get(`/events?passId=${missing.passId}`),
        forbidden: () => client.get(`/events?passId=${strangers.passId}`),
        instance_not_found: () => client.get(`/events?instanceId=${missing.instanceId}`),
      },
    },
    getVisitors: {
      good: () => ({ path: `/statistics/visitors?passId=${pass.passId}`, also: owned }),
      errors: {
        pass_not_found: () => client.get(`/statistics/visitors?passId=${missing.passId}`),
        forbidden: () => client.get(`/statistics/visitors?passId=${strangers.passId}`),
      },
    },
    getStatistics: {
      good: () => ({ path: `/statistics?passId=${pass.passId}`, also: owned }),
      errors: {
        pass_not_found: () => client.get(`/statistics?passId=${missing.passId}`),
        partner_not_found: () => client.get(`/statistics?partnerId=${missing.partnerId}`),
        forbidden: () => client.get(`/statistics?passId=${strangers.passId}`),
      },
    },
  };
}
