import { useState } from 'preact/hooks';
import { Button } from '../../shared/button.tsx';
import { useAction } from '../../shared/data.ts';
import { FileField, TextField } from '../../shared/field.tsx';
import { base64Of, saveFile } from '../../shared/files.ts';
import { type Filled, Form } from '../../shared/form.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { toast } from '../../shared/toast.tsx';
import { wallets } from '../../texts/wallets.ts';
import { api } from '../api.ts';
import { AppleFacts } from './apple-facts.tsx';
import { Instructions, SetupStep, SetupSteps, SiteLink } from './setup-steps.tsx';
import { TestCard } from './test-card.tsx';
import { type LoadedWallets, useWallets } from './use-wallets.ts';

/** A certificate of one's own, from the account with Apple to a card on one's phone. */
export function AppleSetupPage() {
  const t = wallets().appleSetup;
  const loaded = useWallets();
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        back={{ href: '/console/settings/wallets', label: wallets().back }}
      />
      <SetupSteps>
        <SetupStep title={t.account.title}>
          <p>{t.account.text}</p>
          <SiteLink href="https://developer.apple.com/programs/enroll/">{t.account.link}</SiteLink>
        </SetupStep>
        <SetupStep title={t.passType.title}>
          <Instructions steps={t.passType.steps} />
          <p class="soft">{t.passType.renewing}</p>
          <SiteLink href="https://developer.apple.com/account/resources/identifiers/list/passTypeId">
            {t.passType.link}
          </SiteLink>
        </SetupStep>
        <SetupStep title={t.request.title}>
          <SigningRequest />
        </SetupStep>
        <SetupStep title={t.certificate.title}>
          <Instructions steps={t.certificate.steps} />
        </SetupStep>
        <SetupStep title={t.upload.title}>
          <Certificate loaded={loaded} />
        </SetupStep>
        <SetupStep title={t.test.title}>
          <TestCard wallet="apple" />
        </SetupStep>
      </SetupSteps>
    </>
  );
}

function SigningRequest() {
  const t = wallets().appleSetup.request;
  const request = useAction(
    () => api.wallets.createSigningRequest(),
    ({ csr }) => {
      saveFile(t.file, new Blob([csr], { type: 'application/pkcs10' }));
      toast(t.done);
    },
  );
  return (
    <>
      <p>{t.text}</p>
      <div class="row">
        <Button kind="quiet" icon="download" isBusy={request.isBusy} onClick={() => request.run()}>
          {t.button}
        </Button>
      </div>
    </>
  );
}

function Certificate({ loaded }: { readonly loaded: LoadedWallets }) {
  const t = wallets().appleSetup.upload;
  const [isP12, setP12] = useState(false);
  return (
    <>
      {loaded.value?.apple.own && <AppleFacts of={loaded.value.apple} />}
      <Form
        submit={t.submit}
        act={async (filled) => api.wallets.setApple(await identityIn(filled))}
        done={(changed) => {
          loaded.set(changed);
          toast(t.done);
        }}
        secondary={
          !isP12 && (
            <Button kind="plain" onClick={() => setP12(true)}>
              {t.otherWay}
            </Button>
          )
        }
      >
        {isP12 ? (
          <>
            <FileField name="p12" label={t.p12} accept=".p12,.pfx" />
            <TextField
              name="passphrase"
              label={t.passphrase}
              type="password"
              autocomplete="off"
              maxLength={200}
            />
          </>
        ) : (
          <FileField name="certificate" label={t.certificate} accept=".cer,.crt,.pem" />
        )}
      </Form>
    </>
  );
}

/** What was chosen, as the API takes it: PEM as it is, everything else in base64. */
async function identityIn(filled: Filled) {
  const [certificate, p12] = [filled.file('certificate'), filled.file('p12')];
  if (p12 !== null) {
    const passphrase = filled.text('passphrase');
    return { p12: await base64Of(p12), ...(passphrase !== '' && { passphrase }) };
  }
  if (certificate === null) return {};
  const text = await certificate.text();
  return { certificate: text.includes('-----BEGIN') ? text : await base64Of(certificate) };
}
