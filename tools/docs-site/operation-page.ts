import { STATUS_CODES } from 'node:http';
import { type Html, html } from '../../src/kit/html.ts';
import type {
  OpenApiDocument,
  Operation,
  Parameter,
  Response,
} from '../../src/kit/http/reference/openapi.ts';
import type { JsonSchema } from '../../src/kit/http/reference/openapi-schema.ts';
import { fieldLine, fieldList } from './field-list.ts';
import { pathParts, verb } from './layout.ts';
import { inline, prose } from './prose.ts';
import { samples } from './samples/languages.ts';
import { codesOf, errorHref, groupHref, type Listed, type Site } from './site.ts';
import { resolved, typeInWords } from './type-words.ts';

/** One operation: what it takes, what it answers, how it is refused, and an example in each language. */
export function operationPage(site: Site, listed: Listed): Html {
  const { method, path, operation } = listed;
  const { document } = site;
  const [tag = ''] = operation.tags;
  const access = operation.security.flatMap(Object.keys).map(credential).join(', ') || 'No key needed';
  const parameters = operation.parameters
    .map((parameter) => parameterOf(document, parameter))
    .filter((parameter) => parameter !== document.components.parameters.RequestId);
  return html`<div class="operation"><div class="head">
<p class="crumb"><a href="${groupHref(tag)}">${tag}</a></p>
<h1>${operation.summary}</h1>
<p class="line">${verb(method)} <code>${pathParts(path)}</code> <span class="access">${access}</span></p>
${prose(operation.description ?? '', site)}</div>
${samples(site, listed)}
<div class="text">
${parameterList(site, parameters)}
${bodies(site, operation)}
${answers(site, operation)}
${errors(site, operation)}
</div></div>`;
}

/** What a security scheme is called on the pages. */
export function credential(scheme: string): string {
  return scheme === 'key' ? 'API key' : `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} token`;
}

function parameterOf({ components }: OpenApiDocument, parameter: Operation['parameters'][number]): Parameter {
  if ('name' in parameter) return parameter;
  const found = components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
  if (found === undefined) throw new Error(`the document has no ${parameter.$ref}`);
  return found;
}

function parameterList(site: Site, parameters: readonly Parameter[]): Html | false {
  if (parameters.length === 0) return false;
  const lines = parameters.map(({ name, in: where, required, description, schema }) => {
    const described = description === undefined ? schema : { ...schema, description };
    return fieldLine({ name, schema: described, isRequired: required, note: `in ${where}` }, 'request', site);
  });
  return html`<section aria-labelledby="parameters"><h2 id="parameters">Parameters</h2><ul class="fields">${lines}</ul></section>`;
}

function bodies(site: Site, { requestBody }: Operation): Html | false {
  if (requestBody === undefined) return false;
  const kinds = Object.entries(requestBody.content).map(([type, { schema = {} }], index) => {
    const id = index === 0 ? 'body' : `body-${index + 1}`;
    const title = type === 'application/json' ? 'Body' : `Body as ${type}`;
    const note = requestBody.required ? type : `${type}, may be left out`;
    return html`<section aria-labelledby="${id}"><h2 id="${id}">${title} <span class="where">${note}</span></h2>
${fieldList(schema, 'request', site) ?? plain(site, schema)}</section>`;
  });
  return html`${kinds}${requestBody.description !== undefined && html`<p class="note">${requestBody.description}</p>`}`;
}

/** A body that has no fields. */
function plain(site: Site, schema: JsonSchema): Html {
  const { schemas } = site.document.components;
  const { description = '' } = resolved(schema, schemas);
  return html`<p class="type">${typeInWords('', schema, schemas, site.words)}</p>${prose(description, site)}`;
}

function answers(site: Site, { responses }: Operation): Html {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return html`<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
${good.map(([status, response]) => answer(site, status, response))}</section>`;
}

function answer(site: Site, status: string, { content }: Response): Html {
  const head = html`<span class="status">${status}</span> ${STATUS_CODES[status] ?? 'Success'}`;
  const types = Object.keys(content ?? {});
  const schema = content?.['application/json']?.schema;
  const fields = schema === undefined ? null : fieldList(schema, 'answer', site);
  if (fields === null)
    return html`<p class="answer">${head} <span class="where">${types.join(' or ') || 'no body'}</span></p>`;
  const named = resolved(schema ?? {}, site.document.components.schemas);
  const what = [outline(named.properties), ...types.filter((type) => type !== 'application/json')];
  return html`<details class="answer"><summary>${head} <span class="where">${what.join(' or ')}</span></summary>${prose(named.description ?? '', site)}${fields}</details>`;
}

/** The first few names, so that a closed answer already shows what it is. */
function outline(properties: object = {}): string {
  const names = Object.keys(properties);
  return names.length === 0 ? 'JSON' : `{ ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''} }`;
}

function errors(site: Site, operation: Operation): Html | false {
  const codes = codesOf(operation);
  if (codes.length === 0) return false;
  const own = codes.filter(({ code }) => !site.commonCodes.has(code));
  const shared = codes.filter(({ code }) => site.commonCodes.has(code));
  const table = site.document['x-error-codes'];
  const lines = own.map(
    ({
      status,
      code,
    }) => html`<li><p class="field"><a href="${errorHref(code)}"><code>${code}</code></a> <span class="status bad">${status}</span></p>
<p class="meaning">${inline(table[code]?.help ?? '', site)}</p></li>`,
  );
  const links = shared.map(({ code }) => html` <a href="${errorHref(code)}"><code>${code}</code></a>`);
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
${lines.length > 0 && html`<ul class="fields">${lines}</ul>`}
${shared.length > 0 && html`<p class="note">${own.length > 0 ? 'And, as nearly everywhere:' : 'As nearly everywhere:'}${links}</p>`}</section>`;
}
