import { Button } from '../../../shared/button.tsx';
import { CheckField, TextArea } from '../../../shared/field.tsx';
import { join } from '../../../texts/join.ts';
import { type DraftConsent, newConsent } from './join-draft.ts';
import { JoinSection, type JoinSectionProps } from './join-sections.tsx';

/** The most that a page has. */
const mostConsents = 10;

/** What people agree to by a tick. */
export function ConsentsSection({ draft: { consents }, set }: JoinSectionProps) {
  const t = join().consents;
  const change = (id: number, changes: Partial<DraftConsent>) =>
    set({ consents: consents.map((one) => (one.id === id ? { ...one, ...changes } : one)) });
  return (
    <JoinSection title={t.heading} lead={t.lead}>
      <ul class="asked">
        {consents.map(({ id, key, text, required }, at) => (
          <li key={id}>
            <TextArea
              name={`join.consents[${at}]`}
              label={t.text(at + 1)}
              hint={t.textHint}
              value={text}
              required
              maxLength={1_000}
              rows={2}
              onInput={(typed) => change(id, { text: typed })}
            />
            <div class="asked-head">
              <CheckField
                name={`required.${key}`}
                label={t.required}
                isChecked={required}
                onChange={(checked) => change(id, { required: checked })}
              />
              <Button
                kind="plain"
                icon="trash"
                label={t.remove(at + 1)}
                onClick={() => set({ consents: consents.filter((one) => one.id !== id) })}
              />
            </div>
          </li>
        ))}
      </ul>
      {consents.length < mostConsents && (
        <div>
          <Button
            kind="quiet"
            icon="plus"
            onClick={() => set({ consents: [...consents, newConsent(consents)] })}
          >
            {t.add}
          </Button>
        </div>
      )}
    </JoinSection>
  );
}
