import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { dateFormat } from '../../../../src/kit/anywhere/formats.ts';
import { useCached } from '../../../shared/cached.ts';
import { locale } from '../../../shared/language.ts';
import { membership } from '../../../shared/session.ts';
import { messages } from '../../../texts/messages.ts';
import { api } from '../../api.ts';
import { usePictureUrl } from '../picture-url.ts';

/** How a message looks on a locked iPhone, and on the card. */
export function LockScreen({ pass, text }: { readonly pass: Pass; readonly text: string }) {
  const t = messages();
  const svg = useCached(['pictures', pass.passId, 'apple', pass.updatedAt], async (options) =>
    (await api.passes.previewSvg(pass.passId, { platform: 'apple' }, options)).text(),
  );
  const card = usePictureUrl(svg.value);
  const icon = (pass.images.iconUrl ?? pass.images.logoUrl)?.url;
  const now = new Date();
  const time = dateFormat(locale(), { hour: '2-digit', minute: '2-digit' }).format(now);
  const day = dateFormat(locale(), { weekday: 'long', day: 'numeric', month: 'long' }).format(now);
  const shown = text.trim() || t.sample;
  return (
    <div class="message-side">
      <figure>
        <figcaption>{t.preview}</figcaption>
        <div class="lock">
          <p class="lock-day" aria-hidden="true">
            {day}
          </p>
          <p class="lock-time" aria-hidden="true">
            {time}
          </p>
          <div class="lock-note">
            {icon === undefined ? <span class="lock-icon" /> : <img class="lock-icon" src={icon} alt="" />}
            <div>
              <p class="lock-head">
                <strong dir="auto">{membership.value?.name ?? pass.title}</strong>
                <span>{t.now}</span>
              </p>
              <p class="lock-text" dir="auto">
                {shown}
              </p>
            </div>
          </div>
        </div>
      </figure>
      <figure>
        <figcaption>{t.card}</figcaption>
        {card === undefined ? (
          <span class="message-card skeleton" />
        ) : (
          <img class="message-card" src={card} alt="" />
        )}
        <div class="message-back">
          <strong>{t.news}</strong>
          <p dir="auto">{shown}</p>
        </div>
      </figure>
    </div>
  );
}
