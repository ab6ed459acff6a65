import { SelectField, TextField } from '../../../shared/field.tsx';
import { cardOptions } from '../../../texts/card-options.ts';
import { ItemList } from './item-list.tsx';
import { localTime, momentOf, SectionPanel, type SectionProps } from './sections.tsx';

const dayMs = 86_400_000;

/** When phones bring the card up by themselves. */
export function DatesSection({ draft: { dates, fields }, set }: SectionProps) {
  const t = cardOptions().dates;
  const withMoment = fields.filter(({ format }) => format === 'dateTime' || format === 'relative');
  const choices = Object.fromEntries(withMoment.map(({ key, label }) => [key, t.ofField(label || key)]));
  const inADay = () => ({ start: new Date(Date.now() + dayMs).toISOString() });
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList items={dates} most={10} texts={t} blank={inADay} set={(changed) => set({ dates: changed })}>
        {({ start, end, field }, change, at) => (
          <>
            {(withMoment.length > 0 || field !== undefined) && (
              <SelectField
                name={`dates[${at}].field`}
                label={t.when}
                options={{ '': t.sameForAll, ...choices }}
                value={field ?? ''}
                onChange={(key) =>
                  change(
                    key === ''
                      ? { field: undefined, ...inADay() }
                      : { field: key, start: undefined, end: undefined },
                  )
                }
              />
            )}
            {field === undefined && (
              <>
                <TextField
                  name={`dates[${at}].start`}
                  label={t.start}
                  type="datetime-local"
                  value={start === undefined ? '' : localTime(start)}
                  onInput={(text) => change({ start: momentOf(text) ?? start })}
                />
                <TextField
                  name={`dates[${at}].end`}
                  label={t.end}
                  type="datetime-local"
                  value={end == null ? '' : localTime(end)}
                  onInput={(text) => change({ end: momentOf(text) })}
                />
              </>
            )}
          </>
        )}
      </ItemList>
    </SectionPanel>
  );
}
