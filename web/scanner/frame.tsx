import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLoad } from '../shared/data.ts';
import { LoadedView } from '../shared/loaded-view.tsx';
import { LoadFailure, Skeleton } from '../shared/notice.tsx';
import { PageHeader } from '../shared/page-header.tsx';
import { match, path } from '../shared/router.ts';
import { membership, session } from '../shared/session.ts';
import { Toasts } from '../shared/toast.tsx';
import { scanner } from '../texts/scanner.ts';
import { CardPage } from './card-page.tsx';
import { deviceSettings } from './device-settings.ts';
import { isEntering } from './offline/entering.ts';
import { useIdleLock, useWakeLock } from './on-device.ts';
import { ScanPage } from './scan-page.tsx';
import { finds, onCode, search } from './scans.ts';
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
  if (at === '/scan/pair') return <Later key={at} load={pairPage} />;
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
  const load = seldom[at];
  return load === undefined ? <ScanPage /> : <Later key={at} load={load} />;
}

type Load = () => Promise<ComponentType>;

const pairPage: Load = async () => (await import('./pair-page.tsx')).PairPage;

/** Pages that are loaded when they are opened, so that a card is found sooner. The worker keeps them for when there is no network. */
const seldom: Readonly<Record<string, Load>> = {
  '/scan/enrol': async () => (await import('./enrol-page.tsx')).EnrolPage,
  '/scan/settings': async () => (await import('./settings-page.tsx')).SettingsPage,
  '/scan/waiting': async () => (await import('./offline/waiting-page.tsx')).WaitingPage,
};

function Later({ load }: { readonly load: Load }) {
  const page = useLoad(load);
  return (
    <LoadedView of={page} lines={3} height={5}>
      {(Page) => <Page />}
    </LoadedView>
  );
}
