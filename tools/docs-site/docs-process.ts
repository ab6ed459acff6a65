import { readFileSync } from 'node:fs';
import type { DocsBundle } from '../../src/kit/docs/docs-site.ts';
import { answerQuestions } from '../../src/kit/processes/side-process.ts';
import { keepBundle } from '../../src/kit/web-bundle/kept-bundle.ts';
import type { DocsQuestion } from '../../src/start/docs-pages.ts';
import { guideOf } from './guide.ts';
import { renderDocs } from './render-docs.ts';
import { beforeRouting, clients, guides, retryOf, words } from './words.ts';

answerQuestions(async ({ document, ...place }: DocsQuestion): Promise<DocsBundle> => {
  const texts = guides.map((name) =>
    guideOf(name, readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')),
  );
  const made = await renderDocs({ document, guides: texts, words, clients, retryOf, beforeRouting });
  await keepBundle(place, made);
  return made;
});
