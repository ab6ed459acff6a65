import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { photo } from '../src/passes/images/pictures.fixture.ts';
import { designOf, templates, wordsOf } from '../web/console/passes/templates/templates.ts';
import { language, languages } from '../web/shared/language.ts';
import type { Json } from './client.ts';
import { startTestApp } from './harness.ts';

const app = await startTestApp();
const { client } = await app.newWorkspace();
const picture = await photo(1_125, 432).png().toBuffer();
const { url } = (await client.post('/images', picture, { headers: { 'content-type': 'image/png' } })).body;
const rewards = { en: 'Free coffee', de: 'Gratis-Kaffee' };

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
  for (const spoken of Object.keys(languages) as (keyof typeof languages)[])
    for (const template of templates) {
      it(`has room on the card for what it says, and for a program: ${template.id}, ${spoken}`, async () => {
        language.value = spoken;
        assert.equal((await client.patch('/workspace', { locale: spoken })).status, 200);
        const design = designOf(template, url);
        assert.equal(design.title, wordsOf(template).title);
        assert.deepEqual(await lostOf(design), []);
        if (template.type !== 'loyalty') return;
        const made = await client.post('/passes', design);
        assert.equal(made.status, 201, made.text);
        const { passId } = made.body;
        for (const program of [
          { mode: 'STAMPS', threshold: 10, reward: { title: rewards[spoken] } },
          { mode: 'POINTS', reward: { title: rewards[spoken], cost: 100 } },
        ])
          assert.deepEqual(await lostOf({ passId, program }), [], program.mode);
      });
    }
});
