import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { NewJoinForm, Pass } from '../../../../sdk/typescript/src/types.ts';
import { SelectField, TextArea, TextField } from '../../../shared/field.tsx';
import { join } from '../../../texts/join.ts';
import { imageSlots } from '../designer/draft.ts';
import type { JoinDraft, SetJoin } from './join-draft.ts';

export interface JoinSectionProps {
  readonly pass: Pass;
  readonly draft: JoinDraft;
  readonly set: SetJoin;
}

/** Fields that belong together, below their heading. */
export function JoinSection({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel stack" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead !== undefined && <p class="soft">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

export function TextsSection({ draft: { headline, text, image }, set, pass }: JoinSectionProps) {
  const t = join();
  const slots = imageSlots.filter((slot) => pass.images[slot] !== undefined || slot === image);
  return (
    <JoinSection title={t.texts}>
      <TextField
        name="join.headline"
        label={t.headline}
        hint={t.headlineHint}
        value={headline ?? ''}
        maxLength={120}
        onInput={(typed) => set({ headline: typed.trim() || null })}
      />
      <TextArea
        name="join.text"
        label={t.text}
        hint={t.textHint}
        value={text ?? ''}
        maxLength={1_000}
        rows={3}
        onInput={(typed) => set({ text: typed.trim() || null })}
      />
      <SelectField
        name="join.image"
        label={t.image}
        hint={
          <>
            {t.imageHint} <a href={`/console/passes/${pass.passId}/design`}>{t.toDesign}</a>
          </>
        }
        options={{ '': t.noImage, ...Object.fromEntries(slots.map((slot) => [slot, t.slots[slot]])) }}
        value={image ?? ''}
        onChange={(chosen) => set({ image: (chosen || null) as JoinDraft['image'] })}
      />
    </JoinSection>
  );
}

export function LimitsSection({ draft: { proof, limitPerDay, domains }, set }: JoinSectionProps) {
  const t = join().limits;
  return (
    <JoinSection title={t.heading}>
      <SelectField
        name="join.proof"
        label={t.proof}
        hint={t.proofHint}
        options={t.proofs}
        value={proof}
        onChange={(chosen) => set({ proof: chosen as NonNullable<NewJoinForm['proof']> })}
      />
      <TextField
        name="join.limitPerDay"
        label={t.perDay}
        hint={t.perDayHint}
        type="number"
        min={1}
        max={1_000_000}
        value={limitPerDay}
        onInput={(typed) => set({ limitPerDay: typed })}
      />
      <TextArea
        name="join.domainAllow"
        label={t.domains}
        hint={t.domainsHint}
        value={domains}
        rows={2}
        onInput={(typed) => set({ domains: typed })}
      />
    </JoinSection>
  );
}
