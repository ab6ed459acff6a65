import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import type { Json } from './client.ts';
import { startTestApp } from './harness.ts';

/** What the test needs of modules of a page, whose types need those of a browser. */
interface Templates {
  readonly templates: readonly { readonly id: string; readonly type: string }[];
  designOf(template: object, pictureUrl: string): Json;
}
const ofPage = (path: string) => import(new URL(`../web/${path}`, import.meta.url).href);
const { templates, designOf }: Templates = await ofPage('console/passes/templates/templates.ts');
const { language }: { language: { value: string } } = await ofPage('shared/language.ts');

const app = await startTestApp();
const { client } = await app.newWorkspace();
const picture = await photo(1_125, 432).png().toBuffer();
const { url } = (await client.post('/images', picture, { headers: { 'content-type': 'image/png' } })).body;
const rewards = { en: ['Coffee Club', 'Free coffee'], de: ['Kaffee-Club', 'Gratis-Kaffee'] };

/** What an iPhone cuts off of a design, or does not show. */
async function lostOf(body: object): Promise<string[]> {
  const reply = await client.post('/passes/preview', body);
  assert.equal(reply.status, 200, reply.text);
  const { warnings } = reply.body;
  return warnings
    .filter(({ code }: Json) => ['text_cut', 'field_not_shown'].includes(code))
    .map(({ param, label }: Json) => `${param} ${label}`);
}

describe('a template', () => {
  for (const [spoken, [club, reward]] of Object.entries(rewards))
    for (const template of templates) {
      it(`has room on the card for what it says, and for a program: ${template.id}, ${spoken}`, async () => {
        language.value = spoken;
        assert.equal((await client.patch('/workspace', { locale: spoken })).status, 200);
        const design = designOf(template, url);
        if (template.id === 'coffee') assert.equal(design.title, club);
        assert.deepEqual(await lostOf(design), []);
        if (template.type !== 'loyalty') return;
        const made = await client.post('/passes', design);
        assert.equal(made.status, 201, made.text);
        const { passId } = made.body;
        for (const program of [
          { mode: 'STAMPS', threshold: 10, reward: { title: reward } },
          { mode: 'POINTS', reward: { title: reward, cost: 100 } },
        ])
          assert.deepEqual(await lostOf({ passId, program }), [], program.mode);
      });
    }
});
