import { SelectField } from '../../shared/field.tsx';
import { query, setQuery } from '../../shared/router.ts';
import { home } from '../../texts/home.ts';
import type { Surroundings } from './look-around.ts';

/** Which days the figures are of, and of which pass where there are several. */
export function Period({
  of: { passes, days },
  periods,
}: {
  readonly of: Surroundings;
  readonly periods: readonly number[];
}) {
  const t = home();
  return (
    <search class="period">
      <fieldset>
        <legend class="unseen">{t.period}</legend>
        {periods.map((period) => (
          <button
            key={period}
            type="button"
            aria-pressed={period === days}
            onClick={() => setQuery({ days: String(period) })}
          >
            {t.periods(period)}
          </button>
        ))}
      </fieldset>
      {passes.length > 1 && (
        <SelectField
          name="passId"
          label={t.pass.label}
          options={{
            '': t.pass.all,
            ...Object.fromEntries(passes.map(({ passId, title }) => [passId, title])),
          }}
          value={query.value.get('passId') ?? ''}
          onChange={(passId) => setQuery({ passId })}
        />
      )}
    </search>
  );
}
