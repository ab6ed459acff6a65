import assert from 'node:assert/strict';
import type { Client, Json } from '../../test/client.ts';
import type { TestApp } from '../../test/harness.ts';
import { decodeId } from '../kit/ids.ts';

interface Finding {
  readonly level: string;
  readonly what: string;
  readonly advice?: string;
}

/** How a moment reads in a finding, as part of a pattern. */
export const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC`;

/** The id of a card as the database has it. */
export function idOf({ instanceId }: Json): string {
  return decodeId('inst', instanceId) ?? assert.fail('no instance');
}

/** Words of those who run the service: settings, machines, other addresses than the API's own. */
const operatorWords =
  /[A-Z]{3,}_[A-Z]|WORKERS|punchcard |\/operator|google\/callback|firewall|\blog\b|pass\.com|127\.0\.0\.1|[Rr]estart/;

/** What a service finds out about cards, and assertions about it. */
export function diagnosisBy({ operator, anyone }: TestApp) {
  const keys = new Map<string, Client>();

  async function ownerOf(workspaceId: string): Promise<Client> {
    const known = keys.get(workspaceId);
    if (known !== undefined) return known;
    const made = await operator.post(`/operator/workspaces/${workspaceId}/api-keys`, {
      name: 'own',
      access: 'read',
    });
    assert.equal(made.status, 201, made.text);
    const client = anyone.as(made.body.secret);
    keys.set(workspaceId, client);
    return client;
  }

  /** What its workspace reads: as many findings, and nothing that is the operator's business. */
  async function diagnoseAsOwner({ instanceId, workspaceId }: Json): Promise<Json[]> {
    const reply = await (await ownerOf(workspaceId)).get(`/instances/${instanceId}/diagnosis`);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(reply.body.instanceId, instanceId);
    assert.doesNotMatch(reply.text, operatorWords);
    return reply.body.findings;
  }

  async function diagnose({ instanceId }: Json): Promise<Finding[]> {
    const { status, body, text } = await operator.get(`/operator/instances/${instanceId}/diagnosis`);
    assert.equal(status, 200, text);
    const own = await diagnoseAsOwner(body);
    assert.deepEqual(
      own.map(({ level }) => level),
      body.findings.map(({ level }: Finding) => level),
    );
    return body.findings;
  }

  /** Fails unless exactly one thing that was found reads so, at this level and with such advice. */
  async function assertFound(
    card: Json,
    level: 'ok' | 'warning' | 'error',
    what: RegExp,
    advice?: RegExp,
  ): Promise<void> {
    const all = await diagnose(card);
    const found = all.filter((finding) => what.test(finding.what));
    const shown = JSON.stringify(all, null, 2);
    assert.equal(found.length, 1, `${what} in ${shown}`);
    assert.equal(found[0]?.level, level, shown);
    if (advice === undefined) assert.equal(found[0]?.advice, undefined);
    else assert.match(found[0]?.advice ?? '', advice);
  }

  async function assertNotFound(card: Json, what: RegExp): Promise<void> {
    assert.deepEqual(
      (await diagnose(card)).filter((finding) => what.test(finding.what)),
      [],
    );
  }

  return { diagnose, assertFound, assertNotFound };
}
