import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { designer } from '../../../texts/designer.ts';
import { type DraftField, moved, newId } from './draft.ts';
import { FieldItem } from './field-item.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

/** The most that a pass takes. */
const mostFields = 40;

/** The fields of a card in their order, which buttons and a pointer change. */
export function FieldsSection({
  draft: { fields },
  set,
  hasProgram,
}: SectionProps & { readonly hasProgram: boolean }) {
  const t = designer().fields;
  const list = useRef<HTMLOListElement>(null);
  const current = useRef(fields);
  current.current = fields;
  const [added, setAdded] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  /** A button that moves with its field loses the focus on the way: it has it back before the next key is heard. */
  const focused = useRef<{ readonly id: number; readonly by: string } | null>(null);
  useLayoutEffect(() => {
    const wanted = focused.current;
    focused.current = null;
    if (wanted === null) return;
    const item = list.current?.querySelector(`[data-field="${wanted.id}"]`);
    const buttons = [wanted.by, 'up', 'down'].map((by) => item?.querySelector<HTMLElement>(`.${by} button`));
    buttons.find((one) => one && one.ariaDisabled !== 'true')?.focus();
  }, [fields]);

  const move = (from: number, to: number) => {
    const field = current.current[from];
    if (field === undefined) return;
    set({ fields: moved(current.current, from, to) });
    setSaid(t.movedTo(field.label, to + 1, current.current.length));
  };
  const drag = (id: number) => {
    const follow = (event: PointerEvent) => {
      const rows = [...(list.current?.children ?? [])];
      const from = current.current.findIndex((field) => field.id === id);
      const to = rows.findIndex((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return event.clientY >= top && event.clientY <= bottom;
      });
      if (to !== -1 && to !== from) move(from, to);
    };
    const end = () => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
    addEventListener('pointermove', follow);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  };
  const add = () => {
    const field = newField(fields, t.newLabel, hasProgram);
    setAdded(field.id);
    set({ fields: [...fields, field] });
  };
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ol class="field-list" ref={list}>
        {fields.map((field, at) => (
          <FieldItem
            key={field.id}
            field={field}
            at={at}
            count={fields.length}
            isNew={field.id === added}
            change={(changes) =>
              set({ fields: fields.map((one) => (one.id === field.id ? { ...one, ...changes } : one)) })
            }
            move={(to) => {
              focused.current = { id: field.id, by: to < at ? 'up' : 'down' };
              move(at, to);
            }}
            drag={() => drag(field.id)}
            remove={() => set({ fields: fields.filter(({ id }) => id !== field.id) })}
          />
        ))}
      </ol>
      <p class="unseen" role="status">
        {said}
      </p>
      {fields.length < mostFields && (
        <div>
          <Button kind="quiet" icon="plus" onClick={add}>
            {t.add}
          </Button>
        </div>
      )}
    </SectionPanel>
  );
}

/** What a row has room for, with the reward of the program. */
const mostInRow = 4;

/** Where the front is full, a new one begins on the back: it pushes none out. */
function newField(fields: readonly DraftField[], label: string, hasProgram: boolean): DraftField {
  const taken = new Set(fields.map(({ key }) => key));
  const number = [...fields.keys(), fields.length].find((at) => !taken.has(`field_${at + 1}`)) ?? 0;
  const inRow = fields.filter(
    ({ section, untilProgram }) =>
      (section === 'secondary' || section === 'auxiliary') && !(hasProgram && untilProgram),
  );
  return {
    id: newId(),
    key: `field_${number + 1}`,
    label,
    value: null,
    section: inRow.length < mostInRow - Number(hasProgram) ? 'secondary' : 'back',
    editable: true,
    changeMessage: null,
  };
}
