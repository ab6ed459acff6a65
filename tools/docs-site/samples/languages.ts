import { escapeHtml, Html, html } from '../../../src/kit/html.ts';
import type { Listed, Site } from '../site.ts';
import { curl } from './curl.ts';
import { python } from './python.ts';
import { type SampleLanguage, sampleRequest } from './sample-request.ts';
import { typescript } from './typescript.ts';

/** The languages that examples are shown in, the first one unless the reader chooses. */
export const languages: readonly SampleLanguage[] = [curl, typescript, python];

/** The example of an operation, a tab for each language. */
export function samples(site: Site, listed: Listed): Html {
  const request = sampleRequest(site.document, listed);
  const tabs = languages.map(
    ({ name }, index) =>
      html`<label><input type="radio" name="language" value="${name}"${index === 0 && new Html(' checked')}>${name}</label>`,
  );
  const texts = languages.map(
    (language) =>
      html`<pre tabindex="0" role="group" aria-label="${`Example in ${language.name}`}" data-language="${language.name}"><code>${highlighted(language.write(request, site.clients[language.name]), language.hasSingleQuotes)}</code></pre>`,
  );
  return html`<section class="example" aria-label="Example"><fieldset><legend class="unseen">Language</legend>${tabs}</fieldset>
${texts}</section>`;
}

/** Code with its texts, numbers and the names of JSON marked, escaped for HTML. */
export function highlighted(code: string, hasSingleQuotes: boolean): Html {
  const single = hasSingleQuotes ? `|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`` : '';
  const token = new RegExp(
    `("(?:[^"\\\\\\n]|\\\\.)*"${single})(\\s*:)?|(?<![\\w$.:/-])(-?\\d+(?:\\.\\d+)?)(?![\\w.])|(?<=^|\\n)(#[^\\n]*)`,
    'g',
  );
  let marked = '';
  let end = 0;
  for (const { 0: whole, 1: text, 2: colon = '', 3: number, 4: comment, index } of code.matchAll(token)) {
    const kind = comment !== undefined ? 'c' : number !== undefined ? 'n' : colon === '' ? 's' : 'k';
    marked += escapeHtml(code.slice(end, index));
    marked += `<span class="${kind}">${escapeHtml(text ?? number ?? comment ?? '')}</span>${colon}`;
    end = index + whole.length;
  }
  return new Html(marked + escapeHtml(code.slice(end)));
}
