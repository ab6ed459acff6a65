import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { useCached } from '../../../shared/cached.ts';
import { membership } from '../../../shared/session.ts';
import { join } from '../../../texts/join.ts';
import { api } from '../../api.ts';
import { inkOn, isColor } from '../designer/contrast.ts';
import { usePictureUrl } from '../picture-url.ts';
import { namesOf } from './fields-section.tsx';
import type { JoinDraft } from './join-draft.ts';

/** The page as a phone shows it, drawn while it is changed: frames are not allowed here. */
export function JoinPreview({ pass, draft }: { readonly pass: Pass; readonly draft: JoinDraft }) {
  const t = join();
  const svg = useCached(['pictures', pass.passId, 'apple', pass.updatedAt], async (options) =>
    (await api.passes.previewSvg(pass.passId, { platform: 'apple' }, options)).text(),
  );
  const card = usePictureUrl(svg.value);
  const names = namesOf(pass);
  const get = t.get[pass.type];
  const isBare = draft.fields.length === 0;
  const picture = draft.image === null ? undefined : pass.images[draft.image];
  const { background } = pass.colors;
  const own = isColor(background) ? background : '#000000';
  return (
    <figure class="phone-side">
      <figcaption>{t.preview}</figcaption>
      <div class="phone" dir="auto">
        {picture && <img class="phone-picture" src={picture.url} alt="" />}
        <p class="phone-title" dir="auto">
          {draft.headline ?? get}
        </p>
        <p class="soft" dir="auto">
          {draft.text ?? (isBare ? t.leads.bare : t.leads.fields)}
        </p>
        {draft.fields.map(({ key, label, required }) => (
          <div key={key} class="phone-field">
            <span dir="auto">
              {label ?? names.get(key) ?? key}
              {!required && <small class="soft"> {t.optional}</small>}
            </span>
            <span class="box" />
          </div>
        ))}
        {draft.consents.map(({ id, text }) => (
          <div key={id} class="phone-consent">
            <span class="box" />
            <span dir="auto">{text || '…'}</span>
          </div>
        ))}
        <span class="phone-button" style={{ background: own, color: inkOn(own) }}>
          {get}
        </span>
        {draft.fields.length + draft.consents.length > 0 && (
          <p class="soft small">{t.privacy(membership.value?.name ?? '')}</p>
        )}
        {card === undefined ? (
          <span class="phone-card skeleton" />
        ) : (
          <img class="phone-card" src={card} alt="" />
        )}
      </div>
    </figure>
  );
}
