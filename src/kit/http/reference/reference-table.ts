import { type Html, type HtmlPart, html } from '../../html.ts';

/**
 * A table of three columns, the first one the row's heading. The roles repeat what the elements say, because
 * on a phone the rows are laid out as blocks, and browsers then forget that it is a table.
 */
export function table(
  caption: HtmlPart,
  heads: readonly [string, string, string],
  rows: readonly Html[],
): Html {
  const kind = heads[1] === 'Status' ? 'table codes' : 'table';
  return html`<div class="${kind}"><table role="table"><caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`;
}

export function row(head: HtmlPart, second: HtmlPart, third: HtmlPart, id?: string): Html {
  return html`<tr role="row"${id !== undefined && html` id="${id}"`}><th role="rowheader">${head}</th>
<td role="cell">${second}</td><td role="cell">${third}</td></tr>`;
}

/** A line between rows that says what the rows below it have in common. */
export function divider(text: HtmlPart): Html {
  return html`<tr role="row" class="form"><th role="cell" colspan="3">${text}</th></tr>`;
}
