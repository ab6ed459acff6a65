import { type Html, html } from '../../src/kit/html.ts';
import { fieldList } from './field-list.ts';
import { inline } from './prose.ts';
import { highlighted } from './samples/languages.ts';
import { codesOf, operationHref, type Site } from './site.ts';

const BODY = `{
  "error": "title: is required.",
  "code": "invalid_request",
  "requestId": "req_…",
  "problems": [{ "path": "title", "rule": "required", "message": "Is required." }]
}`;

/** Every error code: its status, what to do, whether to send the same again, and which operations answer it. */
export function errorsPage(site: Site): Html {
  const { schemas } = site.document.components;
  const codes = Object.entries(site.document['x-error-codes']);
  return html`<h1>Errors</h1>
<div class="lead"><p>Every answer that is not a success has the same body. Branch on <code>code</code>: it never changes its
meaning, and new ones may come. The words of <code>error</code> are for people and may change.</p></div>
<section aria-labelledby="body"><h2 id="body">Body</h2>
<pre tabindex="0" role="group" aria-label="The body of an error"><code>${highlighted(BODY, false)}</code></pre>
${fieldList(schemas.Error ?? {}, 'answer', site)}
<p class="note">Give the <code>requestId</code> to the operator of the service when you ask for help.</p></section>
<section aria-labelledby="codes"><h2 id="codes">Codes</h2>
${codes.map(
  ([code, { status, help }]) => html`<article class="error" id="${code}">
<h3><a href="#${code}"><code>${code}</code></a> <span class="status bad">${status}</span></h3>
<p>${inline(help, site)}</p>
<dl><div><dt>Send again?</dt><dd>${inline(site.retryOf(code, status), site)}</dd></div>
<div><dt>Answered by</dt><dd>${answeredBy(site, code)}</dd></div></dl></article>`,
)}</section>`;
}

// More would make the page too large for a phone to open at once.
const mostLinks = 60;

function answeredBy(site: Site, code: string): Html {
  if (site.beforeRouting.has(code)) return html`any request`;
  const operations = site.operations
    .map(({ operation }) => operation)
    .filter((operation) => codesOf(operation).some((one) => one.code === code));
  if (operations.length === 0) return html`no operation yet`;
  if (operations.length === site.operations.length) return html`every operation`;
  if (operations.length <= 8) return html`${linksTo(operations)}`;
  const others = site.operations.map(({ operation }) => operation).filter((one) => !operations.includes(one));
  // The shorter list says the same.
  if (others.length < operations.length)
    return html`<details><summary>all operations but ${others.length}</summary>${linksTo(others)}</details>`;
  if (operations.length > mostLinks) return html`${operations.length} operations, whose pages say so`;
  return html`<details><summary>${operations.length} operations</summary>${linksTo(operations)}</details>`;
}

function linksTo(operations: readonly Site['operations'][number]['operation'][]): Html[] {
  return operations.map(
    (operation, index) =>
      html`${index > 0 && ', '}<a href="${operationHref(operation)}">${operation.operationId}</a>`,
  );
}
