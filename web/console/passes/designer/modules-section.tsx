import { TextField } from '../../../shared/field.tsx';
import { cardOptions } from '../../../texts/card-options.ts';
import { type Draft, mostShown, relisted } from './draft.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

/** Offers and links below the card. */
export function ModulesSection({ draft, set }: SectionProps) {
  const t = cardOptions().modules;
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList
        items={draft.modules}
        most={mostShown}
        texts={t}
        blank={(): Draft['modules'][number] => ({ id: 0, header: '', url: '' })}
        set={(changed) => set(relisted(draft, 'modules', changed))}
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
