import type { Client, Json } from '../../test/client.ts';
import { makePass } from '../../test/factories.ts';

const stamps = { mode: 'STAMPS', reward: { title: 'Free coffee' }, threshold: 10 };

/** A published pass with a program, launched by default. */
export async function makeProgram(
  client: Client,
  program: object = stamps,
  { design = {}, launched = true }: { design?: object; launched?: boolean } = {},
): Promise<{ pass: Json; program: Json }> {
  const pass = await makePass(client, design);
  const { body, status, text } = await client.post('/loyalty/programs', { passId: pass.passId, ...program });
  if (status !== 201) throw new Error(text);
  if (!launched) return { pass, program: body };
  const { body: active } = await client.patch(`/loyalty/programs/${body.programId}`, { status: 'active' });
  return { pass, program: active };
}

/** Awards points to a card. */
export async function award(client: Client, card: Json, points: number): Promise<Json> {
  const target = { passId: card.passId, instanceId: card.instanceId };
  const { status, body, text } = await client.post('/loyalty/points', { ...target, points });
  if (status !== 200) throw new Error(text);
  return body;
}
