import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { CheckField, SelectField, TextField } from '../../../shared/field.tsx';
import { cardOptions } from '../../../texts/card-options.ts';
import { relisted } from './draft.ts';
import { ItemList } from './item-list.tsx';
import { SectionPanel, type SectionProps } from './sections.tsx';

type Options = Pass['walletOptions'];
type TextOption = 'group' | 'appUrl' | 'androidApp' | 'logoSymbol';

/** What wallets are to do differently from what they do by themselves. */
export function OptionsSection({ draft, set }: SectionProps) {
  const { walletOptions: options, type, beacons } = draft;
  const t = cardOptions().options;
  const change = (changes: { readonly [N in keyof Options]?: Options[N] | null }) => {
    const kept = Object.entries({ ...options, ...changes }).filter(([, value]) => value != null);
    set({ walletOptions: Object.fromEntries(kept) as Options });
  };
  const text = (name: TextOption) => (
    <TextField
      name={`walletOptions.${name}`}
      label={t.texts[name].label}
      hint={t.texts[name].hint}
      value={options[name] ?? ''}
      onInput={(typed) => change({ [name]: typed.trim() || null })}
    />
  );
  return (
    <SectionPanel title={t.heading}>
      {type === 'generic' && (
        <SelectField
          name="walletOptions.purpose"
          label={t.purpose}
          hint={t.purposeHint}
          options={{ '': t.noPurpose, ...t.purposes }}
          value={options.purpose ?? ''}
          onChange={(chosen) => change({ purpose: (chosen || null) as Options['purpose'] | null })}
        />
      )}
      <CheckField
        name="walletOptions.sharing"
        label={t.sharing}
        hint={t.sharingHint}
        isChecked={options.sharing !== false}
        onChange={(isSo) => change({ sharing: isSo ? null : false })}
      />
      <CheckField
        name="walletOptions.screenshots"
        label={t.screenshots}
        isChecked={options.screenshots !== false}
        onChange={(isSo) => change({ screenshots: isSo ? null : false })}
      />
      {(['unlock', 'shimmer'] as const).map((name) => (
        <CheckField
          key={name}
          name={`walletOptions.${name}`}
          label={t[name]}
          isChecked={options[name] === true}
          onChange={(isSo) => change({ [name]: isSo || null })}
        />
      ))}
      <CheckField
        name="walletOptions.expiryNotice"
        label={t.expiryNotice}
        isChecked={options.expiryNotice ?? type !== 'generic'}
        onChange={(isSo) => change({ expiryNotice: isSo === (type !== 'generic') ? null : isSo })}
      />
      <details class="more-options">
        <summary>{t.more}</summary>
        <div class="stack">
          <SelectField
            name="walletOptions.nfc"
            label={t.nfc}
            hint={t.nfcHint}
            options={t.nfcChoices}
            value={options.nfc ?? ''}
            onChange={(chosen) => change({ nfc: (chosen || null) as Options['nfc'] | null })}
          />
          {text('group')}
          {text('logoSymbol')}
          <TextField
            name="walletOptions.appStoreIds"
            label={t.appStoreIds}
            hint={t.appStoreIdsHint}
            value={options.appStoreIds?.join(' ') ?? ''}
            onInput={(typed) => {
              const ids = typed
                .split(/[\s,]+/)
                .filter(Boolean)
                .map(Number);
              change({ appStoreIds: ids.length === 0 ? null : ids });
            }}
          />
          {text('appUrl')}
          {text('androidApp')}
          <h3>{t.beacons.heading}</h3>
          <p class="soft">{t.beacons.lead}</p>
          <ItemList
            items={beacons}
            most={10}
            texts={t.beacons}
            blank={(): Pass['beacons'][number] => ({ uuid: '' })}
            set={(changed) => set(relisted(draft, 'beacons', changed))}
          >
            {({ uuid, major, minor, relevantText }, changeBeacon, at) => (
              <>
                <TextField
                  name={`beacons[${at}].uuid`}
                  label="UUID"
                  value={uuid}
                  onInput={(typed) => changeBeacon({ uuid: typed.trim() })}
                />
                {(['major', 'minor'] as const).map((name) => (
                  <TextField
                    key={name}
                    name={`beacons[${at}].${name}`}
                    label={t.beacons[name]}
                    type="number"
                    min={0}
                    max={65_535}
                    value={String({ major, minor }[name] ?? '')}
                    onInput={(typed) => changeBeacon({ [name]: typed === '' ? undefined : Number(typed) })}
                  />
                ))}
                <TextField
                  name={`beacons[${at}].relevantText`}
                  label={t.beacons.text}
                  value={relevantText ?? ''}
                  maxLength={200}
                  onInput={(typed) => changeBeacon({ relevantText: typed === '' ? null : typed })}
                />
              </>
            )}
          </ItemList>
        </div>
      </details>
    </SectionPanel>
  );
}
