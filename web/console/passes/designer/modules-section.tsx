import { TextField } from '../../../shared/field.tsx';
import { cardOptions } from '../../../texts/card-options.ts';
import { type Draft, mostShown } from './draft.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';
import { reordered } from './translating.ts';

/** Offers and links below the card. */
export function ModulesSection({ draft: { modules, translations }, set }: SectionProps) {
  const t = cardOptions().modules;
  const setAll = (changed: Draft['modules']) => {
    const order = changed.map(({ id }) => modules.findIndex((one) => one.id === id));
    set({ modules: changed, translations: reordered(translations, 'modules', order) });
  };
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList
        items={modules}
        most={mostShown}
        texts={t}
        blank={(): Draft['modules'][number] => ({ id: 0, header: '', url: '' })}
        set={setAll}
      >
        {({ header, body, url }, change, at) => (
          <>
            <TextField
              name={`modules[${at}].header`}
              label={t.header}
              value={header}
              maxLength={60}
              onInput={(text) => change({ header: text })}
            />
            <TextField
              name={`modules[${at}].body`}
              label={t.body}
              value={body ?? ''}
              maxLength={50}
              onInput={(text) => change({ body: text || null })}
            />
            <TextField
              name={`modules[${at}].url`}
              label={t.url}
              type="url"
              value={url}
              maxLength={1_000}
              onInput={(text) => change({ url: text })}
            />
          </>
        )}
      </ItemList>
    </SectionPanel>
  );
}
