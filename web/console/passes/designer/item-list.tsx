import type { ComponentChildren } from 'preact';
import { Button } from '../../../shared/button.tsx';
import { type Listed, newId } from './draft.ts';

/** Items that are added and removed, each with its fields in a row. */
export function ItemList<T>({
  items,
  most,
  texts,
  blank,
  set,
  children,
}: {
  readonly items: readonly Listed<T>[];
  readonly most: number;
  readonly texts: {
    readonly item: (at: number) => string;
    readonly add: string;
    readonly remove: (at: number) => string;
  };
  /** What an added one begins with. */
  readonly blank: () => T;
  readonly set: (items: readonly Listed<T>[]) => void;
  readonly children: (item: T, change: (changes: Partial<T>) => void, at: number) => ComponentChildren;
}) {
  return (
    <>
      {items.map((item, at) => (
        <fieldset class="item" key={item.id}>
          <legend class="unseen">{texts.item(at + 1)}</legend>
          <div class="item-fields">
            {children(
              item,
              (changes) => set(items.map((one) => (one.id === item.id ? { ...one, ...changes } : one))),
              at,
            )}
          </div>
          <Button
            kind="plain"
            icon="trash"
            label={texts.remove(at + 1)}
            onClick={() => set(items.filter(({ id }) => id !== item.id))}
          />
        </fieldset>
      ))}
      {items.length < most && (
        <div>
          <Button kind="quiet" icon="plus" onClick={() => set([...items, { ...blank(), id: newId() }])}>
            {texts.add}
          </Button>
        </div>
      )}
    </>
  );
}
