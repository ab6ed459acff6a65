import { LinkButton } from '../../shared/button.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { session } from '../../shared/session.ts';
import { scannerOffline } from '../../texts/scanner-offline.ts';
import { isConflict, isOpen } from './entry.ts';
import { keepsAwards, pause, queued } from './sending.ts';

/** How many awards wait on this device; whose they are sees only who is signed in. */
export function WaitingBar() {
  const t = scannerOffline();
  const waiting = queued.value.filter(isOpen).length;
  const conflicts = queued.value.filter(isConflict).length;
  const link = session.value !== null && (
    <LinkButton kind="quiet" href="/scan/waiting">
      {t.show}
    </LinkButton>
  );
  return (
    <>
      {!keepsAwards.value && <Notice title={t.noKeeping} />}
      {waiting > 0 && (
        <Notice title={t.count(formatNumber(waiting), waiting === 1)}>
          <p>{session.value === null ? t.pauses.sign_in : pause.value !== null && t.pauses[pause.value]}</p>
          {link}
        </Notice>
      )}
      {conflicts > 0 && (
        <Notice kind="alert" title={t.decide(formatNumber(conflicts), conflicts === 1)}>
          {link}
        </Notice>
      )}
    </>
  );
}
