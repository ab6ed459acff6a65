import { useState } from 'preact/hooks';
import { UserMessage } from '../../shared/api-error.ts';
import { CopyField } from '../../shared/copy-field.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Notice } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { toast } from '../../shared/toast.tsx';
import { wallets } from '../../texts/wallets.ts';
import { api } from '../api.ts';
import { GoogleFacts } from './google-facts.tsx';
import { Instructions, SetupStep, SetupSteps, SiteLink } from './setup-steps.tsx';
import { TestCard } from './test-card.tsx';
import { useWallets } from './use-wallets.ts';

const walletConsole = 'https://pay.google.com/business/console';
const cloudConsole = 'https://console.cloud.google.com/iam-admin/serviceaccounts';

/** The key of a service account as it was chosen. */
interface Account {
  readonly json: string;
  readonly email: string;
}

/** An account of one's own at Google Wallet, from opening it to a card on one's phone. */
export function GoogleSetupPage() {
  const t = wallets().googleSetup;
  const loaded = useWallets();
  const [account, setAccount] = useState<Account | null>(null);
  const own = loaded.value?.google?.own === true ? loaded.value.google : null;
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        back={{ href: '/console/settings/wallets', label: wallets().back }}
      />
      <SetupSteps>
        <SetupStep title={t.issuer.title}>
          <Instructions steps={t.issuer.steps} />
          <SiteLink href={walletConsole}>{t.issuer.link}</SiteLink>
        </SetupStep>
        <SetupStep title={t.account.title}>
          <p>{t.account.text}</p>
          <Instructions steps={t.account.steps} />
          <SiteLink href={cloudConsole}>{t.account.link}</SiteLink>
          <KeyFile onChosen={setAccount} />
        </SetupStep>
        <SetupStep title={t.invite.title}>
          <p>{t.invite.text}</p>
          <Instructions steps={t.invite.steps} />
          {account === null ? (
            <p class="soft">{t.invite.noAddress}</p>
          ) : (
            <CopyField label={t.invite.address} text={account.email} />
          )}
        </SetupStep>
        <SetupStep title={t.submit.title}>
          {own !== null && <GoogleFacts of={own} />}
          <Form
            submit={t.submit.submit}
            act={async (filled) => {
              if (account === null) throw new UserMessage(t.submit.noFile);
              return api.wallets.setGoogle({
                issuerId: filled.text('issuerId'),
                serviceAccount: account.json,
              });
            }}
            done={(changed) => {
              loaded.set(changed);
              toast(t.submit.done);
            }}
          >
            <TextField
              name="issuerId"
              label={t.submit.issuerId}
              hint={t.submit.issuerIdHint}
              inputMode="numeric"
              maxLength={30}
              required
              autocomplete="off"
            />
          </Form>
        </SetupStep>
        <SetupStep title={t.test.title}>
          <p>{t.test.text}</p>
          <TestCard wallet="google" />
        </SetupStep>
        <SetupStep title={t.publish.title}>
          <p>{t.publish.text}</p>
        </SetupStep>
      </SetupSteps>
    </>
  );
}

/** The file of the key, which is read here to show whose it is. */
function KeyFile({ onChosen }: { readonly onChosen: (account: Account | null) => void }) {
  const t = wallets().googleSetup.account;
  const [isWrong, setWrong] = useState(false);
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const account = accountIn(await file.text());
    setWrong(account === null);
    onChosen(account);
  };
  return (
    <div class="field">
      <label for="key-file">{t.file}</label>
      <input
        id="key-file"
        type="file"
        accept=".json,application/json"
        aria-describedby="key-file-hint"
        onChange={({ currentTarget }) => read(currentTarget.files?.[0])}
      />
      <p class="hint" id="key-file-hint">
        {t.fileHint}
      </p>
      <div role="alert">{isWrong && <Notice kind="alert" title={t.wrong} />}</div>
    </div>
  );
}

function accountIn(json: string): Account | null {
  try {
    const { client_email: email } = JSON.parse(json) as { readonly client_email?: unknown };
    return typeof email === 'string' ? { json, email } : null;
  } catch {
    return null;
  }
}
