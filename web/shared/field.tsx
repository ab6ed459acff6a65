import type { ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { FormContext } from './form-context.ts';
import { Icon } from './icon.tsx';

interface FieldProps {
  /** What the form sends it as: the API's own word, so that refusals find their field. */
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
}

/** What ties a control to its label, its hint and what is wrong. */
export interface Wiring {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** A label, a control, a hint and what is wrong, tied together. */
export function Field({
  name,
  label,
  hint,
  children,
}: FieldProps & { readonly children: (wiring: Wiring) => ComponentChildren }) {
  const id = useId();
  const problem = useContext(FormContext).problems[name];
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        name,
        'aria-invalid': problem === undefined ? undefined : 'true',
        'aria-describedby': described === '' ? undefined : described,
      })}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          <Icon name="alert" size={18} />
          {problem}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** The settings of a control for text. */
interface TextProps extends FieldProps {
  /** What it begins with. */
  readonly value?: string;
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly onInput?: (text: string) => void;
}

interface LineProps extends TextProps {
  readonly type?:
    | 'text'
    | 'email'
    | 'password'
    | 'number'
    | 'date'
    | 'datetime-local'
    | 'url'
    | 'tel'
    | 'search';
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | 'any';
  readonly pattern?: string;
  readonly inputMode?: 'numeric' | 'decimal';
  /** The id of a `datalist`. */
  readonly list?: string;
}

/** One line of text; `type` makes it an address, a number, a day … */
export function TextField({ name, label, hint, value, type = 'text', onInput, ...more }: LineProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(wiring) => (
        <input
          {...({
            ...more,
            ...wiring,
            type,
            defaultValue: value,
            onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
              onInput?.(currentTarget.value),
          } as object)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  name,
  label,
  hint,
  value,
  rows,
  onInput,
  ...more
}: TextProps & { readonly rows?: number }) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(wiring) => (
        <textarea
          {...more}
          {...wiring}
          rows={rows}
          defaultValue={value}
          onInput={(event) => onInput?.(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

export function SelectField({
  name,
  label,
  hint,
  options,
  value,
  onChange,
}: FieldProps & {
  /** By what is sent: what is shown. */
  readonly options: Readonly<Record<string, string>>;
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(wiring) => (
        <select {...wiring} onChange={(event) => onChange?.(event.currentTarget.value)}>
          {Object.entries(options).map(([sent, shown]) => (
            <option key={sent} value={sent} selected={sent === value}>
              {shown}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Yes or no. @public */
export function CheckField({
  name,
  label,
  hint,
  required,
  isChecked = false,
  onChange,
}: FieldProps & {
  /** Nothing is sent without it. */
  readonly required?: boolean;
  /** What it begins with. */
  readonly isChecked?: boolean;
  readonly onChange?: (isChecked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        name={name}
        required={required}
        defaultChecked={isChecked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function FileField({ name, label, hint, accept }: FieldProps & { readonly accept?: string }) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(wiring) => <input {...wiring} type="file" accept={accept} />}
    </Field>
  );
}
