import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { SelectField, TextField } from '../../../shared/field.tsx';
import { cardOptions } from '../../../texts/card-options.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

type Kind = Pass['actions'][number]['kind'];

/** The buttons of the card. */
export function ActionsSection({ draft: { actions }, set }: SectionProps) {
  const t = cardOptions().actions;
  const free = (Object.keys(t.kinds) as Kind[]).filter((kind) => actions.every((one) => one.kind !== kind));
  return (
    <SectionPanel title={t.heading} lead={t.lead}>
      <ItemList
        items={actions}
        most={2}
        texts={t}
        blank={() => ({ kind: free[0] ?? 'shop', title: '', to: '' })}
        set={(changed) => set({ actions: changed })}
      >
        {({ kind, title, to }, change, at) => (
          <>
            <SelectField
              name={`actions[${at}].kind`}
              label={t.kind}
              options={t.kinds}
              value={kind}
              onChange={(chosen) => change({ kind: chosen as Kind })}
            />
            <TextField
              name={`actions[${at}].title`}
              label={t.title}
              value={title}
              maxLength={30}
              onInput={(text) => change({ title: text })}
            />
            <TextField
              key={kind === 'call' ? 'call' : 'page'}
              name={`actions[${at}].to`}
              label={kind === 'call' ? t.number : t.page}
              type={kind === 'call' ? 'tel' : 'url'}
              value={to}
              maxLength={1_000}
              onInput={(text) => change({ to: text })}
            />
          </>
        )}
      </ItemList>
    </SectionPanel>
  );
}
