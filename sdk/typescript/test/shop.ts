import type { TestApp } from '../../../test/harness.ts';
import { Punchcard, type PunchcardOptions } from '../src/index.ts';

/** A client with the key of a fresh workspace, which has a program in points that runs: a reward costs 10. */
export async function openShop(app: TestApp, options: Partial<PunchcardOptions> = {}) {
  const { client } = await app.newWorkspace('pro', 10_000);
  const punchcard = new Punchcard({ baseUrl: app.url, apiKey: client.secret ?? '', ...options });
  const { passId } = await punchcard.passes.create({ title: 'Blue Bean Club', type: 'loyalty' });
  await punchcard.passes.update(passId, { status: 'published' });
  const { programId } = await punchcard.programs.create({
    passId,
    mode: 'POINTS',
    reward: { title: 'Free coffee', cost: 10 },
  });
  await punchcard.programs.update(programId, { status: 'active' });
  return { punchcard, apiKey: client.secret ?? '', passId, programId };
}
