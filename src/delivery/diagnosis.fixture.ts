import assert from 'node:assert/strict';
import type { Json } from '../../test/client.ts';
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

/** What a service finds out about cards, and assertions about it. */
export function diagnosisBy({ operator }: TestApp) {
  async function diagnose({ instanceId }: Json): Promise<Finding[]> {
    const { status, body, text } = await operator.get(`/operator/instances/${instanceId}/diagnosis`);
    assert.equal(status, 200, text);
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
