import { TextField } from '../../../shared/field.tsx';
import { designer } from '../../../texts/designer.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

/** Where phones bring the card up by themselves. */
export function PlacesSection({ draft: { locations }, set }: SectionProps) {
  const t = designer().places;
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList
        items={locations}
        most={10}
        texts={t}
        blank={() => ({ latitude: 0, longitude: 0, relevantText: null })}
        set={(changed) => set({ locations: changed })}
      >
        {({ latitude, longitude, relevantText }, change, at) => (
          <>
            <TextField
              name={`locations[${at}].latitude`}
              label={t.latitude}
              type="number"
              step="any"
              min={-90}
              max={90}
              value={String(latitude)}
              onInput={(text) => change({ latitude: Number(text) })}
            />
            <TextField
              name={`locations[${at}].longitude`}
              label={t.longitude}
              type="number"
              step="any"
              min={-180}
              max={180}
              value={String(longitude)}
              onInput={(text) => change({ longitude: Number(text) })}
            />
            <TextField
              name={`locations[${at}].relevantText`}
              label={t.text}
              value={relevantText ?? ''}
              maxLength={200}
              onInput={(text) => change({ relevantText: text === '' ? null : text })}
            />
          </>
        )}
      </ItemList>
    </SectionPanel>
  );
}
