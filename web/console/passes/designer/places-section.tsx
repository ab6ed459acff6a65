import { useState } from 'preact/hooks';
import { Button } from '../../../shared/button.tsx';
import { CancelButton } from '../../../shared/cancel-button.tsx';
import { Dialog } from '../../../shared/dialog.tsx';
import { TextArea, TextField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { designer } from '../../../texts/designer.ts';
import { places } from '../../../texts/places.ts';
import { mostPlaces, readPlaces } from '../../read-places.ts';
import { listed, mostShown, relisted } from './draft.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

/** Where phones bring the card up by themselves. */
export function PlacesSection({ draft, set }: SectionProps) {
  const { locations } = draft;
  const t = { ...designer().places, ...places() };
  const [isAdding, setAdding] = useState(false);
  const [shown, others] = [locations.slice(0, mostShown), locations.slice(mostShown)];
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList
        items={shown}
        most={mostShown}
        texts={t}
        blank={() => ({ latitude: 0, longitude: 0, relevantText: null })}
        set={(changed) => set(relisted(draft, 'locations', [...changed, ...others]))}
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
      {others.length > 0 && <p class="soft">{t.more(others.length)}</p>}
      <div class="row">
        <Button kind="quiet" icon="plus" onClick={() => setAdding(true)}>
          {t.addList}
        </Button>
        {others.length > 0 && (
          <Button kind="plain" icon="trash" onClick={() => set({ locations: [] })}>
            {t.removeAll}
          </Button>
        )}
      </div>
      {isAdding && (
        <Dialog title={t.addList} onClose={() => setAdding(false)}>
          <Form
            submit={t.submit}
            act={async (filled) => readPlaces('list', filled.text('list'), mostPlaces - locations.length)}
            done={(added) => {
              setAdding(false);
              set({ locations: [...locations, ...listed(added)] });
            }}
            secondary={<CancelButton onClose={() => setAdding(false)} />}
          >
            <TextArea name="list" label={t.list} hint={t.listHint} value="" rows={10} required />
          </Form>
        </Dialog>
      )}
    </SectionPanel>
  );
}
