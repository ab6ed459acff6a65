import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { CheckField, TextField } from '../../../shared/field.tsx';
import { join } from '../../../texts/join.ts';
import { moved } from '../designer/draft.ts';
import type { AskedField } from './join-draft.ts';
import { JoinSection, type JoinSectionProps } from './join-sections.tsx';

/** The most that a page asks for. */
const mostFields = 20;

/** What the page asks for, in its order; what it does not ask for yet stands below, to be added. */
export function FieldsSection({ draft: { fields }, set, pass }: JoinSectionProps) {
  const t = join().fields;
  const list = useRef<HTMLUListElement>(null);
  const [said, setSaid] = useState('');
  /** A button that moves with its field loses the focus on the way. */
  const focused = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null) return;
    const item = list.current?.querySelector(`[data-field="${focused.current}"]`);
    focused.current = null;
    item?.querySelector<HTMLElement>('button')?.focus();
  }, [fields]);
  const names = namesOf(pass);
  const left = [...names].filter(
    ([key]) => !fields.some((field) => field.key === key) && isKnownToCustomers(pass, key),
  );
  const change = (key: string, changes: Partial<AskedField>) =>
    set({ fields: fields.map((field) => (field.key === key ? { ...field, ...changes } : field)) });
  const add = (key: string) => set({ fields: [...fields, { key, required: false, label: null }] });
  const up = (at: number, key: string, name: string) => {
    focused.current = key;
    set({ fields: [...moved(fields, at, at - 1)] });
    setSaid(t.movedTo(name, at, fields.length));
  };
  return (
    <JoinSection title={t.heading} lead={t.lead}>
      {fields.length === 0 && <p>{t.none}</p>}
      <ul class="asked" ref={list}>
        {fields.map((field, at) => {
          const name = names.get(field.key) ?? field.key;
          return (
            <li key={field.key} data-field={field.key}>
              <div class="asked-head">
                <strong dir="auto">{name}</strong>
                <Button
                  kind="plain"
                  icon="up"
                  label={t.up(name)}
                  isDisabled={at === 0}
                  onClick={() => up(at, field.key, name)}
                />
                <Button
                  kind="plain"
                  icon="trash"
                  label={t.remove(name)}
                  onClick={() => set({ fields: fields.filter(({ key }) => key !== field.key) })}
                />
              </div>
              <TextField
                name={`join.fields[${at}]`}
                label={t.label}
                value={field.label ?? ''}
                maxLength={120}
                placeholder={name}
                {...(field.key === 'email' && { hint: t.emailHint })}
                onInput={(typed) => change(field.key, { label: typed.trim() || null })}
              />
              <CheckField
                name={`required.${field.key}`}
                label={t.required}
                isChecked={field.required}
                onChange={(required) => change(field.key, { required })}
              />
            </li>
          );
        })}
      </ul>
      <p class="unseen" role="status">
        {said}
      </p>
      {fields.length < mostFields && left.length > 0 && (
        <div class="row">
          {left.map(([key, name]) => (
            <Button key={key} kind="quiet" icon="plus" onClick={() => add(key)}>
              {t.add(name)}
            </Button>
          ))}
        </div>
      )}
    </JoinSection>
  );
}

/** A field that says the same on all cards to begin with is the shop's own text, such as its opening hours. */
function isKnownToCustomers({ fields }: Pass, key: string): boolean {
  return (fields.find((field) => field.key === key)?.value ?? null) === null;
}

/** What a page may ask for, by key: of the person, and what holders may have a value of their own for. */
export function namesOf({ fields }: Pass): ReadonlyMap<string, string> {
  const own = fields.filter(({ editable }) => editable).map(({ key, label }) => [key, label || key] as const);
  return new Map([...Object.entries(join().fields.person), ...own]);
}
