import { Button } from '../../../shared/button.tsx';
import { TextField } from '../../../shared/field.tsx';
import { designer } from '../../../texts/designer.ts';
import { newId, type Place } from './draft.ts';
import { SectionPanel, type SectionProps } from './sections.tsx';

const mostPlaces = 10;

/** Where phones bring the card up by themselves. */
export function PlacesSection({ draft: { locations }, set }: SectionProps) {
  const t = designer().places;
  const change = (id: number, changes: Partial<Place>) =>
    set({ locations: locations.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      {locations.map(({ id, latitude, longitude, relevantText }, at) => (
        <fieldset class="place" key={id}>
          <legend class="unseen">{t.place(at + 1)}</legend>
          <TextField
            name={`locations[${at}].latitude`}
            label={t.latitude}
            type="number"
            step="any"
            min={-90}
            max={90}
            value={String(latitude)}
            onInput={(text) => change(id, { latitude: Number(text) })}
          />
          <TextField
            name={`locations[${at}].longitude`}
            label={t.longitude}
            type="number"
            step="any"
            min={-180}
            max={180}
            value={String(longitude)}
            onInput={(text) => change(id, { longitude: Number(text) })}
          />
          <TextField
            name={`locations[${at}].relevantText`}
            label={t.text}
            value={relevantText ?? ''}
            maxLength={200}
            onInput={(text) => change(id, { relevantText: text === '' ? null : text })}
          />
          <Button
            kind="plain"
            icon="trash"
            label={t.remove(at + 1)}
            onClick={() => set({ locations: locations.filter((one) => one.id !== id) })}
          />
        </fieldset>
      ))}
      {locations.length < mostPlaces && (
        <div>
          <Button
            kind="quiet"
            icon="plus"
            onClick={() =>
              set({
                locations: [...locations, { id: newId(), latitude: 0, longitude: 0, relevantText: null }],
              })
            }
          >
            {t.add}
          </Button>
        </div>
      )}
    </SectionPanel>
  );
}
