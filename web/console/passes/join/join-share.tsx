import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { LinkButton } from '../../../shared/button.tsx';
import { CopyField } from '../../../shared/copy-field.tsx';
import { Icon } from '../../../shared/icon.tsx';
import { QrPicture } from '../../../shared/qr-picture.tsx';
import { may } from '../../../shared/session.ts';
import { join } from '../../../texts/join.ts';
import { JoinSection } from './join-sections.tsx';

/** What brings people to the page, while it is open. */
export function JoinShare({
  pass,
  form: { url, domainAllow },
}: {
  readonly pass: Pass;
  readonly form: NonNullable<Pass['join']>;
}) {
  const t = join().share;
  const attribute = pass.title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const script = `<script src="${url}/scripts/frame.js" data-title="${attribute}"></script>`;
  return (
    <JoinSection title={t.heading}>
      <CopyField label={t.link} text={url} />
      <PosterLinks title={pass.title} url={url} />
      {(domainAllow.length > 0 || may('write')) && (
        <div class="stack tight">
          <h3>{t.script}</h3>
          <p class="soft small">{domainAllow.length === 0 ? t.noDomain : t.scriptHint}</p>
          {domainAllow.length > 0 && <CopyField label={t.script} text={script} />}
        </div>
      )}
    </JoinSection>
  );
}

/** The code that leads to the page, and posters with it. */
export function PosterLinks({
  title,
  url,
  kind = 'quiet',
}: {
  readonly title: string;
  readonly url: string;
  /** Of the poster to print. */
  readonly kind?: 'primary' | 'quiet';
}) {
  const t = join().share;
  // The address may be that of another host than this page's: its path is the same.
  const { pathname } = new URL(url);
  return (
    <div class="share">
      <QrPicture src={`${pathname}/qr.svg`} alt={t.qr} name={title} />
      <div class="share-links">
        <LinkButton kind={kind} icon="download" href={`${pathname}/poster.pdf`} download={`${title}.pdf`}>
          {t.poster}
        </LinkButton>
        <LinkButton kind="quiet" icon="download" href={`${pathname}/poster.png`} download={`${title}.png`}>
          {t.screen}
        </LinkButton>
        <a class="button quiet" href={pathname} target="_blank" rel="noopener">
          <Icon name="link" size={18} />
          {t.visit}
        </a>
        <p class="soft small">{t.posterHint}</p>
      </div>
    </div>
  );
}
