import { readFileSync } from 'node:fs';
import { anyUrl } from '../../src/kit/docs/docs-site.ts';
import { answerWithBundles } from '../../src/kit/web-bundle/kept-bundle.ts';
import { guideOf } from './guide.ts';
import { renderDocs } from './render-docs.ts';
import { beforeRouting, clients, guides, retryOf, words } from './words.ts';

answerWithBundles(async ({ text }: { readonly text: string }) =>
  renderDocs({
    document: JSON.parse(text),
    guides: guides.map((name) => guideOf(name, textOf(name))),
    words,
    clients,
    retryOf,
    beforeRouting,
  }),
);

/** A guide's file names the service as its first start does; its page, as every installation is called. */
function textOf(guide: string): string {
  const file = new URL(`../../docs/guides/${guide}.md`, import.meta.url);
  return readFileSync(file, 'utf8').replaceAll('http://localhost:3000', anyUrl);
}
