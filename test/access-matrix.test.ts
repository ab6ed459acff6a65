import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { errors } from '../src/errors.ts';
import { newSecret } from '../src/kit/crypto/tokens.ts';
import { routes } from '../src/routes.ts';
import { signInAs, signInAtTill } from '../src/sign-in/people.fixture.ts';
import { errorsOf } from '../src/start/reference.ts';
import { type Caller, callers, isPerson, refusals } from './access-refusals.ts';
import { assertAudited, withoutLine } from './audit-rules.ts';
import type { Client } from './client.ts';
import { makeKey, makePass } from './factories.ts';
import { startTestApp } from './harness.ts';
import type { Request } from './scenarios/scenario.ts';
import { makeScenarios } from './scenarios/scenarios.ts';
import { settings } from './scenarios/world.ts';
import { assertKeepsKey, assertTakesNoBody, isOurWrite, needsNoBody } from './write-rules.ts';

describe('who may call what', async () => {
  const app = await startTestApp(settings);
  const { world, scenarios } = await makeScenarios(app);
  const { client, workspaceId } = world;
  const clients = await makeCallers();

  async function makeCallers(): Promise<Record<Caller, Client>> {
    const revoked = await makeKey(client);
    await client.delete(`/api-keys/${revoked.key.keyId}`);
    const suspended = await app.newWorkspace();
    await app.operator.patch(`/operator/workspaces/${suspended.workspaceId}`, { suspended: true });
    const otherPass = await makePass(client);
    return {
      anonymous: app.anyone,
      'malformed key': app.anyone.as('not a key'),
      'unknown key': app.anyone.as(newSecret('pk_live_')),
      'revoked key': revoked.client,
      'key of a suspended workspace': suspended.client,
      'read-only key': (await makeKey(client, { access: 'read' })).client,
      'key of another pass': (await makeKey(client, { passIds: [otherPass.passId] })).client,
      'key of another workspace': world.stranger,
      operator: app.operator,
      'removed person': await makeRemoved(),
      'person of another workspace': (await signInAs(app, 'owner', (await app.newWorkspace()).client)).in(
        workspaceId,
      ),
      viewer: await signInAs(app, 'viewer', client),
      staff: await signInAs(app, 'staff', client),
      'paired till': (await signInAtTill(app, 'manager', client)).browser,
      manager: await signInAs(app, 'manager', client),
      owner: await signInAs(app, 'owner', client),
      'full key': client,
    };
  }

  /** A person who now belongs to another workspace only. */
  async function makeRemoved(): Promise<Client> {
    const removed = await signInAs(app, 'viewer', client);
    await client.delete(`/people/${removed.personId}`);
    return removed.in(workspaceId);
  }

  const requestOf = async (op: string): Promise<Request> =>
    scenarios[op]?.good() ?? assert.fail(`say in test/scenarios/ how to call ${op}`);

  for (const route of routes) {
    const { method, path, access, endpoint } = route;
    test(`${method} ${path}`, async () => {
      const request = await requestOf(endpoint.op);
      const { body, contentType, status = 200, also } = request;
      const headers = { ...(contentType !== undefined && { 'content-type': contentType }) };
      const url = request.path ?? path;
      assert.match(url.replace(/\?.*/, ''), new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
      const refused = { ...also, ...refusals[access] };
      for (const caller of callers) {
        const code = refused[caller];
        // What a person changes is done once: the next one needs another.
        const isAnew =
          request.isLimited === true ||
          (code === undefined && isPerson(caller) && (method !== 'GET' || request.client !== undefined));
        const its: Request = isAnew ? await requestOf(endpoint.op) : { ...request, client: null };
        const as = its.client ?? clients[caller];
        const reply = await as.send(method, its.path ?? url, its.body ?? body, { headers });
        const found = [caller, reply.status, code === undefined ? undefined : reply.body.code];
        assert.deepEqual(found, [caller, code === undefined ? status : errors[code][0], code]);
        if (code !== undefined)
          assert.ok(errorsOf(route).has(code), `${endpoint.op} does not declare ${code}`);
      }
    });
  }

  for (const route of routes.filter(isOurWrite)) {
    const standing = clients[route.access === 'operator' ? 'operator' : 'full key'];
    const name = `${route.method} ${route.path}`;
    test(`${name} keeps an Idempotency-Key, or refuses it`, async () => {
      const request = await requestOf(route.endpoint.op);
      const isOfPass = request.also?.['key of another pass'] === 'insufficient_scope';
      await assertKeepsKey(
        request.client ?? standing,
        route,
        request,
        isOfPass ? clients['key of another pass'] : null,
      );
    });
    if (!(route.endpoint.op in withoutLine))
      test(`${name} leaves a line in the audit log`, async () => {
        const { body, contentType, path = route.path, client: its } = await requestOf(route.endpoint.op);
        const headers: Record<string, string> =
          contentType === undefined ? {} : { 'content-type': contentType };
        const reply = await (its ?? standing).send(route.method, path, body, { headers });
        await assertAudited(app, route.endpoint.op, reply);
      });
    if (needsNoBody(route))
      test(`${name} needs no body`, () =>
        assertTakesNoBody(standing, route, () => requestOf(route.endpoint.op)));
  }

  test('a change without a line in the audit log is found out', async () => {
    const unlined = await client.post('/loyalty/points/preview', (await requestOf('previewPoints')).body);
    await assert.rejects(assertAudited(app, 'previewPoints', unlined), /previewPoints leaves no line/);
  });

  test('every scenario is of a route', () => {
    const ops = new Set(routes.map((route) => route.endpoint.op));
    assert.deepEqual(
      [...Object.keys(scenarios), ...Object.keys(withoutLine)].filter((op) => !ops.has(op)),
      [],
    );
  });
});
