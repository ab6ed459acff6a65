import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { LoadFailure, Skeleton } from './notice.tsx';
import type { Pages } from './pages.ts';

export interface Column<T> {
  readonly head: string;
  readonly cell: (item: T) => ComponentChildren;
  /** `end` for numbers, `short` for dates and states, which keep to a line; `actions` for buttons, whose head is read aloud only. */
  readonly kind?: 'end' | 'short' | 'actions';
}

/** As many rows as a window has room for. */
const firstRows = 20;

/**
 * A list as a table, its first column what a row is about; on a phone each row is a block, and roles say what it is for
 * screen readers, which the styles of a block would take away. `pages` of `usePages`, whose
 * next page a button below reads.
 */
export function DataTable<T>({
  label,
  columns,
  pages,
  rowKey,
  empty,
}: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly pages: Pages<T>;
  readonly rowKey: (item: T) => string;
  /** What is shown where there is nothing. */
  readonly empty: ComponentChildren;
}) {
  // Of a list that is there when its page opens, the rows below the window come after what is seen.
  const [isSeen, setSeen] = useState(false);
  useEffect(() => setSeen(true), []);
  return (
    <PagesPanel pages={pages} empty={empty}>
      {(items) => (
        <table class="table" role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ head, kind }) => (
                <th key={head} role="columnheader" class={kind} scope="col">
                  {kind === 'actions' ? <span class="unseen">{head}</span> : head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {(isSeen ? items : items.slice(0, firstRows)).map((item) => (
              <tr key={rowKey(item)} role="row">
                {columns.map(({ head, cell, kind }, at) => (
                  <td
                    key={head}
                    role="cell"
                    class={`${kind ?? ''} ${at === 0 ? 'main' : ''}`}
                    data-label={kind === 'actions' ? '' : head}
                  >
                    {cell(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </PagesPanel>
  );
}

/** The frame of a list: what it shows until its first page is there, or where there is nothing, and the button that reads on. */
export function PagesPanel<T>({
  pages: { items, error, isLoading, more, reload },
  empty,
  children,
}: {
  readonly pages: Pages<T>;
  /** What is shown where there is nothing. */
  readonly empty: ComponentChildren;
  readonly children: (items: readonly T[]) => ComponentChildren;
}) {
  const t = shared();
  if (items === undefined)
    return error === undefined ? (
      <div class="panel">
        <Skeleton lines={5} height={1.75} />
      </div>
    ) : (
      <div class="panel flush">
        <LoadFailure error={error} retry={reload} />
      </div>
    );
  if (items.length === 0) return <div class="panel flush">{empty}</div>;
  return (
    <div class="panel flush">
      {children(items)}
      {(more !== undefined || error !== undefined) && (
        <div class="table-end">
          <Button kind="quiet" isBusy={isLoading} onClick={more ?? reload}>
            {error === undefined ? t.showMore : t.tryAgain}
          </Button>
        </div>
      )}
    </div>
  );
}
