import { useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { CheckField } from '../../../shared/field.tsx';
import { Form } from '../../../shared/form.tsx';
import { Notice } from '../../../shared/notice.tsx';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { join } from '../../../texts/join.ts';
import { api } from '../../api.ts';
import { ObstacleNotice } from '../../obstacle-notice.tsx';
import type { PageProps } from '../../page.ts';
import { PassFrame } from '../pass-tabs.tsx';
import { ConsentsSection } from './consents-section.tsx';
import { FieldsSection } from './fields-section.tsx';
import { draftOf, joinOf } from './join-draft.ts';
import { JoinPreview } from './join-preview.tsx';
import { LimitsSection, TextsSection } from './join-sections.tsx';
import { JoinShare } from './join-share.tsx';

/** How people get a card of a pass by themselves, with a preview of the page that they see. */
export function JoinPage({ params: { passId = '' } }: PageProps) {
  return (
    <PassFrame passId={passId} page="join">
      {(pass, loaded) => <Join key={pass.updatedAt} pass={pass} onSaved={loaded.set} />}
    </PassFrame>
  );
}

type Saved = Awaited<ReturnType<typeof api.passes.update>>;

function Join({ pass, onSaved }: { readonly pass: Pass; readonly onSaved: (saved: Saved) => void }) {
  const t = join();
  const [draft, setDraft] = useState(() => draftOf(pass.join));
  const set = (changes: Partial<typeof draft>) => setDraft((known) => ({ ...known, ...changes }));
  const isOpen = pass.join?.enabled === true && pass.status === 'published';
  const sections = { draft, set, pass };
  return (
    <div class="join">
      <div class="stack">
        {pass.join?.enabled !== true ? (
          <Notice title={draft.enabled && may('write') ? t.opensOnSave : t.notOpen} />
        ) : (
          pass.status !== 'published' && <Notice title={t.notPublished} />
        )}
        <ObstacleNotice />
        {isOpen && pass.join !== null && <JoinShare pass={pass} form={pass.join} />}
        {may('write') && (
          <Form
            submit={t.save}
            act={() => api.passes.update(pass.passId, { join: joinOf(draft) })}
            done={(saved) => {
              toast(t.saved);
              onSaved(saved);
            }}
          >
            <section class="panel">
              <CheckField
                name="join.enabled"
                label={t.open}
                hint={t.openHint}
                isChecked={draft.enabled}
                onChange={(enabled) => set({ enabled })}
              />
            </section>
            <TextsSection {...sections} />
            <FieldsSection {...sections} />
            <ConsentsSection {...sections} />
            <LimitsSection {...sections} />
          </Form>
        )}
      </div>
      <JoinPreview pass={pass} draft={draft} />
    </div>
  );
}
