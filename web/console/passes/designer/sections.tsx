import type { ComponentChildren } from 'preact';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { SelectField, TextArea, TextField } from '../../../shared/field.tsx';
import { designer } from '../../../texts/designer.ts';
import { passes } from '../../../texts/passes.ts';
import type { Draft, SetDraft } from './draft.ts';

/** What each section of the designer is given. */
export interface SectionProps {
  readonly draft: Draft;
  readonly set: SetDraft;
}

export function SectionPanel({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
      </header>
      <div class="stack">
        {lead !== undefined && <p class="soft">{lead}</p>}
        {children}
      </div>
    </section>
  );
}

const orNull = (text: string) => (text.trim() === '' ? null : text);

export function Basics({ draft, set, pass }: SectionProps & { readonly pass: Pass }) {
  const t = designer().basics;
  return (
    <SectionPanel title={t.heading}>
      <TextField
        name="title"
        label={t.title}
        hint={t.titleHint}
        value={draft.title}
        maxLength={120}
        onInput={(title) => set({ title })}
      />
      {pass.counts.issued === 0 && (
        <SelectField
          name="type"
          label={t.type}
          hint={t.typeHint}
          options={passes().types}
          value={draft.type}
          onChange={(type) =>
            // Memberships alone have a poster.
            set({ type: type as Draft['type'], ...(type !== 'generic' && { posterUrl: null }) })
          }
        />
      )}
      <TextArea
        name="details"
        label={t.details}
        hint={t.detailsHint}
        value={draft.details ?? ''}
        maxLength={5_000}
        rows={2}
        onInput={(details) => set({ details: orNull(details) })}
      />
      <TextArea
        name="terms"
        label={t.terms}
        hint={t.termsHint}
        value={draft.terms ?? ''}
        maxLength={5_000}
        rows={3}
        onInput={(terms) => set({ terms: orNull(terms) })}
      />
    </SectionPanel>
  );
}

export function BarcodeSection({ draft: { barcode }, set }: SectionProps) {
  const t = designer().barcode;
  const change = (changes: Partial<Draft['barcode']>) => set({ barcode: { ...barcode, ...changes } });
  return (
    <SectionPanel title={t.heading}>
      <SelectField
        name="barcode.mode"
        label={t.mode}
        options={t.modes}
        value={barcode.mode}
        onChange={(mode) =>
          change({
            mode: mode as Draft['barcode']['mode'],
            value: mode === 'simple' ? (barcode.value ?? '') : null,
          })
        }
      />
      {barcode.mode === 'simple' && (
        <TextField
          name="barcode.value"
          label={t.value}
          value={barcode.value ?? ''}
          maxLength={255}
          onInput={(value) => change({ value })}
        />
      )}
      {barcode.mode !== 'none' && (
        <SelectField
          name="barcode.format"
          label={t.format}
          hint={t.formatHints[barcode.format]}
          options={t.formats}
          value={barcode.format}
          onChange={(format) => change({ format: format as Draft['barcode']['format'] })}
        />
      )}
    </SectionPanel>
  );
}

const yearMs = 365 * 86_400_000;

export function ExpirySection({ draft: { expiry }, set }: SectionProps) {
  const t = designer().expiry;
  const choose = (kind: string) => {
    if (kind === 'fixed') set({ expiry: { kind, at: new Date(Date.now() + yearMs).toISOString() } });
    else if (kind === 'afterIssue') set({ expiry: { kind, days: 365 } });
    else set({ expiry: { kind: 'none' } });
  };
  return (
    <SectionPanel title={t.heading}>
      <SelectField
        name="expiry.kind"
        label={t.kind}
        options={t.kinds}
        value={expiry.kind}
        onChange={choose}
      />
      {expiry.kind === 'fixed' && (
        <TextField
          name="expiry.at"
          label={t.at}
          type="datetime-local"
          value={localTime(expiry.at)}
          onInput={(text) => {
            const at = momentOf(text);
            if (at !== null) set({ expiry: { kind: 'fixed', at } });
          }}
        />
      )}
      {expiry.kind === 'afterIssue' && (
        <TextField
          name="expiry.days"
          label={t.days}
          type="number"
          min={1}
          max={36_500}
          value={String(expiry.days)}
          onInput={(text) => set({ expiry: { kind: 'afterIssue', days: Number(text) } })}
        />
      )}
    </SectionPanel>
  );
}

/** As an input of the browser takes it, in its own time zone. */
export function localTime(at: string): string {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that such an input has; null where it has none. */
export function momentOf(text: string): string | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
