import { Button } from '../../shared/button.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { Notice } from '../../shared/notice.tsx';
import { camera } from '../../texts/camera.ts';
import { browserOf, ownBrowserAddress } from './browsers.ts';
import type { Trouble } from './trouble.ts';

/** Says why nothing is read by the camera, and what to do about it. */
export function CameraTrouble({
  trouble,
  retry,
}: {
  readonly trouble: Trouble | 'decoder';
  readonly retry: () => void;
}) {
  const t = camera();
  const { userAgent } = navigator;
  const { title, text } = t.troubles[trouble];
  const address = location.origin + location.pathname;
  const elsewhere = trouble === 'in-app' ? ownBrowserAddress(address, userAgent) : null;
  return (
    <div class="camera-trouble" role="status">
      <Notice title={title}>
        <p>{text}</p>
        {trouble === 'refused' && (
          <>
            <p>{t.howToAllow[browserOf(userAgent)]}</p>
            <p>{t.deviceRefuses}</p>
          </>
        )}
        {trouble === 'in-app' && <CopyField label={t.address} text={address} />}
        <p>{t.typeInstead}</p>
        {elsewhere !== null && <a href={elsewhere}>{t.openBrowser}</a>}
        {canRetry(trouble) && (
          <Button kind="quiet" icon="refresh" onClick={retry}>
            {t.retry}
          </Button>
        )}
      </Notice>
    </div>
  );
}

/** Not where only another page, or another browser, helps. */
function canRetry(trouble: Trouble | 'decoder'): boolean {
  return trouble !== 'insecure' && trouble !== 'unsupported' && trouble !== 'in-app';
}
