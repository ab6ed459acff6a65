import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, LinkButton } from '../../shared/button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { wallets } from '../../texts/wallets.ts';
import { api } from '../api.ts';
import { AppleFacts } from './apple-facts.tsx';
import { GoogleFacts } from './google-facts.tsx';
import { ReadersPanel } from './readers-panel.tsx';
import { SettingsTabs } from './settings-tabs.tsx';
import { useWallets } from './use-wallets.ts';

type Wallet = 'apple' | 'google';

/** By what the wallets know the workspace: its own, or what the service has. */
export function WalletsPage() {
  const t = wallets();
  const loaded = useWallets();
  const [leaving, setLeaving] = useState<Wallet | null>(null);
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <LoadedView of={loaded} lines={2} height={9}>
        {({ apple, google, nfc }) => (
          <div class="stack">
            <WalletPanel wallet="apple" isOwn={apple.own} onLeave={setLeaving}>
              <AppleFacts of={apple} />
            </WalletPanel>
            <WalletPanel wallet="google" isOwn={google?.own ?? null} onLeave={setLeaving}>
              {google === null ? <p>{t.noGoogle}</p> : <GoogleFacts of={google} />}
            </WalletPanel>
            <ReadersPanel of={{ apple, google, nfc }} onChanged={loaded.set} />
            {!may('own') && <p class="soft">{t.ownersOnly}</p>}
          </div>
        )}
      </LoadedView>
      {leaving !== null && (
        <ConfirmDialog
          title={leaving === 'apple' ? t.removeAppleTitle : t.removeGoogleTitle}
          confirm={t.remove}
          act={() => (leaving === 'apple' ? api.wallets.removeApple() : api.wallets.removeGoogle())}
          done={(changed) => {
            setLeaving(null);
            loaded.set(changed);
            toast(t.removed);
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{leaving === 'apple' ? t.removeAppleText : t.removeGoogleText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function WalletPanel({
  wallet,
  isOwn,
  onLeave,
  children,
}: {
  readonly wallet: Wallet;
  /** Null where there is none. */
  readonly isOwn: boolean | null;
  readonly onLeave: (wallet: Wallet) => void;
  readonly children: ComponentChildren;
}) {
  const t = wallets();
  return (
    <section class="panel">
      <header>
        <h2>{t[wallet]}</h2>
        <Badge kind={isOwn === true ? 'good' : undefined}>
          {isOwn === null ? t.none : isOwn ? t.own : t.shared}
        </Badge>
      </header>
      <div class="stack">
        {children}
        {may('own') && (
          <div class="row">
            <LinkButton kind="quiet" href={`/console/settings/wallets/${wallet}`}>
              {isOwn === true ? t.renew : t.setUp} <span class="unseen">{t[wallet]}</span>
            </LinkButton>
            {isOwn === true && (
              <Button kind="plain" onClick={() => onLeave(wallet)}>
                {t.remove} <span class="unseen">{t[wallet]}</span>
              </Button>
            )}
          </div>
        )}
      </div>
    </section>
  );
}
