import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { CheckField, SelectField, TextField } from '../../../shared/field.tsx';
import { FormContext } from '../../../shared/form-context.ts';
import { Icon } from '../../../shared/icon.tsx';
import { cards } from '../../../texts/cards.ts';
import { designer } from '../../../texts/designer.ts';
import { currencyChoices } from '../../settings/region-choices.ts';
import { Cautions } from './cautions.tsx';
import type { DraftField, Section } from './draft.ts';

type Format = NonNullable<DraftField['format']>;
type Align = NonNullable<DraftField['align']>;

/** A format with what it needs; text is the absence of one. */
function lookFor(format: Format, currency: string): Partial<DraftField> {
  return {
    format: format === 'text' ? undefined : format,
    currency: format === 'currency' ? currency : undefined,
  };
}

/** A field of the card: a line that says what it shows, and opens to be changed. */
export function FieldItem({
  field,
  at,
  count,
  isNew,
  change,
  move,
  drag,
  remove,
}: {
  readonly field: DraftField;
  readonly at: number;
  readonly count: number;
  readonly isNew: boolean;
  readonly change: (changes: Partial<DraftField>) => void;
  readonly move: (to: number) => void;
  readonly drag: () => void;
  readonly remove: () => void;
}) {
  const t = designer().fields;
  const details = useRef<HTMLDetailsElement>(null);
  const developers = useRef<HTMLDetailsElement>(null);
  const { problems } = useContext(FormContext);
  const name = `fields[${at}]`;
  const isKeyWrong = `${name}.key` in problems;
  const hasProblem = Object.keys(problems).some((one) => one.startsWith(`${name}.`));
  useLayoutEffect(() => {
    if ((hasProblem || isNew) && details.current !== null) details.current.open = true;
    if (isKeyWrong && developers.current !== null) developers.current.open = true;
  }, [hasProblem, isKeyWrong, isNew]);
  useLayoutEffect(() => {
    if (isNew) details.current?.querySelector('input')?.select();
  }, [isNew]);
  const { label, value, section, format = 'text', currency = 'EUR' } = field;
  return (
    <li data-field={field.id}>
      <span
        class="grip"
        aria-hidden="true"
        onPointerDown={(event) => {
          event.preventDefault();
          drag();
        }}
      >
        <Icon name="menu" size={18} />
      </span>
      <details ref={details}>
        <summary class="of-field">
          <span class="line">
            <strong dir="auto">{label || t.noLabel}</strong>
            <span class="soft" dir="auto">
              {value ?? t.noValue}
            </span>
          </span>
          <span class="badge">{t.sections[section]}</span>
        </summary>
        <div class="field-form">
          <TextField
            name={`${name}.label`}
            label={t.label}
            value={label}
            maxLength={120}
            onInput={(text) => change({ label: text })}
          />
          <TextField
            name={`${name}.value`}
            label={t.value}
            hint={format === 'text' ? t.valueHint : cards().formatHints[format]}
            value={value ?? ''}
            maxLength={1_000}
            onInput={(text) => change({ value: text === '' ? null : text })}
          />
          <SelectField
            name={`${name}.format`}
            label={t.format}
            options={t.formats}
            value={format}
            onChange={(chosen) => change(lookFor(chosen as Format, currency))}
          />
          {format === 'currency' && (
            <SelectField
              name={`${name}.currency`}
              label={t.currency}
              options={currencyChoices(currency)}
              value={currency}
              onChange={(chosen) => change({ currency: chosen })}
            />
          )}
          <SelectField
            name={`${name}.section`}
            label={t.section}
            options={t.sections}
            value={section}
            onChange={(chosen) => change({ section: chosen as Section })}
          />
          {section !== 'primary' && section !== 'back' && (
            <SelectField
              name={`${name}.align`}
              label={t.align}
              options={t.aligns}
              value={field.align ?? ''}
              onChange={(chosen) => change({ align: chosen === '' ? undefined : (chosen as Align) })}
            />
          )}
          <TextField
            name={`${name}.changeMessage`}
            label={t.changeMessage}
            hint={t.changeMessageHint}
            value={field.changeMessage ?? ''}
            maxLength={200}
            onInput={(text) => change({ changeMessage: text === '' ? null : text })}
          />
          <CheckField
            name={`${name}.editable`}
            label={t.editable}
            hint={t.editableHint}
            isChecked={field.editable}
            onChange={(editable) => change({ editable })}
          />
          <CheckField
            name={`${name}.untilProgram`}
            label={t.untilProgram}
            hint={t.untilProgramHint}
            isChecked={field.untilProgram === true}
            onChange={(isSo) => change({ untilProgram: isSo ? true : undefined })}
          />
          <details class="for-developers" ref={developers}>
            <summary>{t.developers}</summary>
            <TextField
              name={`${name}.key`}
              label={t.key}
              hint={t.keyHint}
              value={field.key}
              maxLength={40}
              onInput={(key) => change({ key })}
            />
          </details>
        </div>
      </details>
      <span class="up">
        <Button
          kind="plain"
          icon="up"
          label={t.up(label)}
          isDisabled={at === 0}
          onClick={() => move(at - 1)}
        />
      </span>
      <span class="down">
        <Button
          kind="plain"
          icon="down"
          label={t.down(label)}
          isDisabled={at === count - 1}
          onClick={() => move(at + 1)}
        />
      </span>
      <Button kind="plain" icon="trash" label={t.remove(label)} onClick={remove} />
      <div class="cautions">
        <Cautions about={`${name}.section`} />
      </div>
    </li>
  );
}
