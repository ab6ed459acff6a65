import { escapeHtml, Html } from '../../html.ts';
import type { Operation } from './openapi.ts';

/** A request as a curl command that can be pasted into a shell once the words in capitals are filled in. */
export function curlCommand(method: string, url: string, operation: Operation, takesKey: boolean): Html {
  const lines = [`curl${method === 'GET' ? '' : ` -X ${method}`} ${shellWord(fillIn(url, operation))}`];
  const [scheme] = operation.security.flatMap(Object.keys);
  if (scheme !== undefined) {
    lines.push(`-H "Authorization: Bearer $${scheme === 'operator' ? 'OPERATOR_TOKEN' : 'API_KEY'}"`);
  }
  if (takesKey) lines.push('-H "Idempotency-Key: $(uuidgen)"');
  const [[type, body] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (type !== undefined) lines.push(`-H "Content-Type: ${type}"`);
  const command = new Html(escapeHtml(lines.join(' \\\n  ')));
  if (body?.example === undefined) return command;
  const quoted = JSON.stringify(body.example, null, 2).replaceAll("'", "'\\''");
  return new Html(`${command} \\\n  -d &#39;${highlightJson(quoted)}&#39;`);
}

/** `/items/{itemId}` → `/items/ITEM_ID`, and the required query parameters. */
function fillIn(url: string, { parameters }: Operation): string {
  const query = parameters.flatMap((parameter) =>
    'name' in parameter && parameter.in === 'query' && parameter.required
      ? [`${parameter.name}=${inCapitals(parameter.name)}`]
      : [],
  );
  const path = url.replace(/\{(\w+)\}/g, (_, name: string) => inCapitals(name));
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

function inCapitals(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}

function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** JSON text with its keys, strings and other values marked, escaped for HTML. */
export function highlightJson(text: string): Html {
  const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  let marked = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    const kind = string === undefined ? 'n' : colon === undefined ? 's' : 'k';
    marked += `${escapeHtml(text.slice(end, match.index))}<span class="${kind}">${escapeHtml(string ?? whole)}</span>`;
    marked += colon ?? '';
    end = match.index + whole.length;
  }
  return new Html(marked + escapeHtml(text.slice(end)));
}
