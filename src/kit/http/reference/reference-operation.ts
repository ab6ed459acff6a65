import { STATUS_CODES } from 'node:http';
import { type Html, html } from '../../html.ts';
import type { OpenApiDocument, Operation, Parameter, Response } from './openapi.ts';
import { curlCommand } from './reference-example.ts';
import { meaning, requiredMark, schemaTable, typeName } from './reference-schema.ts';
import { row, table } from './reference-table.ts';
import { inline, prose } from './reference-text.ts';

export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One operation of the reference. Codes in `common` are named only; the others come with their help. */
export function operationSection(
  document: OpenApiDocument,
  entry: Listed,
  common: ReadonlySet<string>,
): Html {
  const { method, path, operation } = entry;
  const { operationId: id, security } = operation;
  const parameters = operation.parameters.map((parameter) => resolved(document, parameter));
  const access = security.flatMap(Object.keys).map(credential).join(', ') || 'No key needed';
  return html`<article class="op" id="${id}" aria-labelledby="${id}-title">
<div class="text">
<h3 id="${id}-title"><a href="#${id}">${operation.summary}</a></h3>
<p class="line">${verb(method)} <code>${pathParts(path)}</code> <span class="access">${access}</span></p>
${prose(operation.description ?? '')}
${parameterTable(parameters.filter((parameter) => parameter !== document.components.parameters.RequestId))}
${bodyTable(document, operation)}
${answers(document, operation)}
${errors(document, operation, common)}
</div>
${example(document, entry, parameters)}
</article>`;
}

/** The method as a badge. */
export function verb(method: string): Html {
  return html`<span class="verb ${method.toLowerCase()}">${method}</span>`;
}

/** What a security scheme is called on the page. */
export function credential(scheme: string): string {
  return scheme === 'key' ? 'API key' : `${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} token`;
}

/** Every error code of an operation with its status, from the enums of its error answers. */
export function codesOf({ responses }: Operation): { status: string; code: string }[] {
  return Object.entries(responses).flatMap(([status, { content }]) => {
    const parts = content?.['application/json']?.schema?.allOf ?? [];
    const codes = parts.flatMap((part) => (part.properties?.code?.enum ?? []) as readonly string[]);
    return codes.map((code) => ({ status, code }));
  });
}

function resolved({ components }: OpenApiDocument, parameter: Operation['parameters'][number]): Parameter {
  if ('name' in parameter) return parameter;
  const found = components.parameters[parameter.$ref.replace('#/components/parameters/', '')];
  if (found === undefined) throw new Error(`the document has no ${parameter.$ref}`);
  return found;
}

function pathParts(path: string): Html[] {
  return path.split(/(?=\/)|(\{\w+\})/).flatMap((part = '') => {
    if (part.startsWith('{')) return [html`<span class="hole">${part}</span>`];
    return part === '' ? [] : [html`<wbr>${part}`];
  });
}

function parameterTable(parameters: readonly Parameter[]): Html | false {
  if (parameters.length === 0) return false;
  const rows = parameters.map(({ name, in: where, required, description, schema }) =>
    row(
      [html`<code>${name}</code>`, required && requiredMark],
      html`${typeName(schema)} <span class="where">in ${where}</span>`,
      meaning(description === undefined ? schema : { ...schema, description }),
    ),
  );
  return table('Parameters', ['Name', 'Type', 'Meaning'], rows);
}

function bodyTable({ components }: OpenApiDocument, { requestBody }: Operation): Html | false {
  if (requestBody === undefined) return false;
  const kinds = Object.entries(requestBody.content).map(([type, { schema = {} }]) => {
    const title = type === 'application/json' ? 'Body' : `Body as ${type}`;
    const note = requestBody.required ? '' : ', optional';
    const properties = schemaTable(schema, components.schemas, 'request', `${title}${note}`);
    return properties ?? html`<h4>${title}${note}</h4><p>${typeName(schema)} ${meaning(schema)}</p>`;
  });
  return html`${kinds}${requestBody.description !== undefined && html`<p class="note">${requestBody.description}</p>`}`;
}

function answers(document: OpenApiDocument, { responses }: Operation): Html {
  const good = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return html`<h4>Answers</h4>
<ul class="answers">${good.map(([status, response]) => html`<li>${answer(document, status, response)}</li>`)}</ul>`;
}

function answer({ components }: OpenApiDocument, status: string, { content }: Response): Html {
  const head = html`<span class="status">${status}</span> ${STATUS_CODES[status] ?? 'Success'}`;
  const [[type, { schema = {} }] = [undefined, {}], ...others] = Object.entries(content ?? {});
  if (type === undefined) return html`<p>${head} <span class="where">no body</span></p>`;
  if (type !== 'application/json') return html`<p>${head} <span class="where">${type}</span></p>`;
  const properties = schemaTable(schema, components.schemas, 'answer', `Properties of the ${status} answer`);
  if (properties === null) return html`<p>${head} <span class="where">${typeName(schema)}</span></p>`;
  return html`<details><summary>${head} <span class="where">${[outline(schema.properties), ...others.map(([other]) => other)].join(' or ')}</span></summary>${properties}</details>`;
}

/** The first few property names, so that a closed answer already tells what it is. */
function outline(properties: object = {}): string {
  const names = Object.keys(properties);
  return `{ ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''} }`;
}

function errors(document: OpenApiDocument, operation: Operation, common: ReadonlySet<string>): Html | false {
  const codes = codesOf(operation);
  const own = codes.filter(({ code }) => !common.has(code));
  const shared = codes.filter(({ code }) => common.has(code));
  if (codes.length === 0) return false;
  const rows = own.map(({ status, code }) =>
    row(
      html`<a href="#error-${code}"><code>${code}</code></a>`,
      status,
      inline(document['x-error-codes'][code]?.help ?? ''),
    ),
  );
  const links = shared.map(({ code }, index) => [
    index > 0 && ' ',
    html`<a href="#error-${code}"><code>${code}</code></a>`,
  ]);
  return html`${own.length > 0 ? table('Errors', ['Code', 'Status', 'What to do'], rows) : html`<h4>Errors</h4>`}
${
  shared.length > 0 &&
  html`<p class="note">${own.length > 0 ? 'And, as nearly everywhere:' : 'As nearly everywhere:'} ${links}</p>`
}`;
}

function example(document: OpenApiDocument, entry: Listed, parameters: readonly Parameter[]): Html {
  const { method, path, operation } = entry;
  const url = `${document.servers[0]?.url ?? ''}${path}`;
  const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
  return html`<figure class="example"><figcaption><span>Example</span> <span>${operation.operationId}</span></figcaption>
<pre tabindex="0" role="group" aria-label="Example of ${operation.operationId}"><code>${curlCommand(method, url, operation, takesKey)}</code></pre></figure>`;
}
