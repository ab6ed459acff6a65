import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { dayIn } from './days.ts';
import { Field } from './field.tsx';
import { query, setQuery } from './router.ts';

export interface Filter {
  /** What it is called in the address. */
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** A day in the place of a text. */
  readonly isDay?: boolean;
  /** A choice in the place of a text: by value, what is shown. The empty value is all. */
  readonly options?: Readonly<Record<string, string>>;
}

/** Filters of a list, which are in the address. Texts count when they are sent, choices at once. */
export function FilterBar({ label, fields }: { readonly label: string; readonly fields: readonly Filter[] }) {
  const t = shared();
  const now = query.value;
  const isSet = fields.some(({ name }) => now.has(name));
  const isTyped = fields.some(({ options }) => options === undefined);
  return (
    <form
      class="filters"
      aria-label={label}
      // Begins anew where the address has changed.
      key={now.toString()}
      onSubmit={(event) => {
        event.preventDefault();
        const data = new FormData(event.currentTarget);
        setQuery(Object.fromEntries(fields.map(({ name }) => [name, String(data.get(name) ?? '').trim()])));
      }}
    >
      {fields.map(({ name, label: title, placeholder, isDay = false, options }) => (
        <Field key={name} name={name} label={title}>
          {(wiring) =>
            options === undefined ? (
              <input
                {...({
                  ...wiring,
                  placeholder,
                  type: isDay ? 'date' : 'search',
                  defaultValue: isDay ? dayIn(now.get(name), name) : (now.get(name) ?? ''),
                } as object)}
              />
            ) : (
              <select {...wiring} onChange={(event) => setQuery({ [name]: event.currentTarget.value })}>
                {Object.entries(options).map(([value, shown]) => (
                  <option key={value} value={value} selected={value === (now.get(name) ?? '')}>
                    {shown}
                  </option>
                ))}
              </select>
            )
          }
        </Field>
      ))}
      {isTyped && (
        <Button type="submit" kind="quiet">
          {t.apply}
        </Button>
      )}
      {isSet && (
        <Button
          kind="plain"
          onClick={() => setQuery(Object.fromEntries(fields.map(({ name }) => [name, null])))}
        >
          {t.showAll}
        </Button>
      )}
    </form>
  );
}
