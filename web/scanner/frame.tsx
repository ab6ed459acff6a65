import { useEffect } from 'preact/hooks';
import { LoadFailure, Skeleton } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { match, path } from '../shared/router.ts';
import { membership, session } from '../shared/session.ts';
import { Toasts } from '../shared/toast.tsx';
import { scanner } from '../texts/scanner.ts';
import { CardPage } from './card-page.tsx';
import { deviceSettings } from './device-settings.ts';
import { EnrolPage } from './enrol-page.tsx';
import { isEntering } from './offline/entering.ts';
import { WaitingPage } from './offline/waiting-page.tsx';
import { useIdleLock, useWakeLock } from './on-device.ts';
import { PairPage } from './pair-page.tsx';
import { ScanPage } from './scan-page.tsx';
import { finds, onCode, search } from './scans.ts';
import { SettingsPage } from './settings-page.tsx';
import { StartPage } from './start-page.tsx';
import { TillPage } from './till-page.tsx';
import { TopBar } from './top-bar.tsx';
import { useWedge } from './use-wedge.ts';
import { asked, findOutWho, till } from './who.ts';

/** The frame around all pages of the scanner: who is there, and the page that they may see. */
export function Frame() {
  const { hand, staysOn } = deviceSettings.value;
  const isSomebody = session.value !== null;
  useEffect(() => void findOutWho(), []);
  useEffect(() => {
    document.documentElement.dataset.hand = hand;
  }, [hand]);
  useWedge(isSomebody, (readings) => onCode(...readings));
  useIdleLock(isSomebody && till.value !== null);
  useWakeLock(staysOn && isSomebody);
  // The first page, before anything is looked for, is the one that may be exchanged for a newer one.
  const isAtRest = path.value === '/scan' && search.value.kind === 'none';
  useEffect(() => {
    isEntering.value = !isAtRest;
  }, [isAtRest]);
  return (
    <>
      {isSomebody && <TopBar />}
      <main class="content" id="content" tabIndex={-1}>
        <CurrentPage />
      </main>
      <Toasts />
    </>
  );
}

function CurrentPage() {
  const t = scanner();
  const at = path.value;
  const state = asked.value;
  if (state === 'asking') return <Skeleton lines={3} height={5} />;
  if (at === '/scan/pair') return <PairPage />;
  if (state !== 'known')
    return (
      <>
        <PageHeader title={t.title} />
        <LoadFailure error={state.failed} retry={() => void findOutWho()} />
      </>
    );
  if (session.value === null) return till.value === null ? <StartPage /> : <TillPage till={till.value} />;
  if (membership.value === null) return <PageHeader title={t.title} lead={t.noWorkspace} />;
  const card = match('/scan/cards/:instanceId', at);
  if (card !== null) return <CardPage key={`${at} ${finds.value}`} instanceId={card.instanceId ?? ''} />;
  if (at === '/scan/enrol') return <EnrolPage />;
  if (at === '/scan/settings') return <SettingsPage />;
  if (at === '/scan/waiting') return <WaitingPage />;
  return <ScanPage />;
}
