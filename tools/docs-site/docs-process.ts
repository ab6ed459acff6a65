import { readFileSync } from 'node:fs';
import { answerWithBundles } from '../../src/kit/web-bundle/kept-bundle.ts';
import { guideOf } from './guide.ts';
import { renderDocs } from './render-docs.ts';
import { beforeRouting, clients, guides, retryOf, words } from './words.ts';

answerWithBundles(async ({ text }: { readonly text: string }) =>
  renderDocs({
    document: JSON.parse(text),
    guides: guides.map((name) =>
      guideOf(name, readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8')),
    ),
    words,
    clients,
    retryOf,
    beforeRouting,
  }),
);
