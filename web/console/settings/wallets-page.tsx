import { useState } from 'preact/hooks';
import type { Wallets } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { type Loaded, useAction, useLoad } from '../../shared/data.ts';
import { FileField, TextField } from '../../shared/field.tsx';
import { base64Of, saveFile } from '../../shared/files.ts';
import { type Filled, Form } from '../../shared/form.tsx';
import { formatDate } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { records } from '../../texts/records.ts';
import { api } from '../api.ts';
import { SettingsTabs } from './settings-tabs.tsx';

type LoadedWallets = Loaded<Awaited<ReturnType<typeof api.wallets.get>>>;

export function WalletsPage() {
  const t = records().wallets;
  const loaded = useLoad((options) => api.wallets.get(options));
  return (
    <>
      <PageHeader title={t.title} lead={t.lead}>
        <SettingsTabs />
      </PageHeader>
      <LoadedView of={loaded} lines={2} height={9}>
        {({ apple }) => (
          <div class="stack">
            <Apple of={apple} />
            {may('own') ? (
              <OwnCertificate loaded={loaded} isOwn={apple.own} />
            ) : (
              <p class="soft">{t.ownersOnly}</p>
            )}
          </div>
        )}
      </LoadedView>
    </>
  );
}

function Apple({ of }: { readonly of: Wallets['apple'] }) {
  const t = records().wallets;
  return (
    <section class="panel">
      <header>
        <h2>{t.apple}</h2>
        <Badge kind={of.own ? 'good' : undefined}>{of.own ? t.own : t.shared}</Badge>
      </header>
      <dl class="facts">
        <div>
          <dt>{t.passType}</dt>
          <dd>
            <code>{of.passTypeIdentifier}</code>
          </dd>
        </div>
        <div>
          <dt>{t.team}</dt>
          <dd>
            <code>{of.teamIdentifier}</code>
          </dd>
        </div>
        <div>
          <dt>{t.expires}</dt>
          <dd>{formatDate(of.expiresAt)}</dd>
        </div>
        {of.earlier.length > 0 && (
          <div>
            <dt>{t.earlier}</dt>
            <dd>
              {of.earlier.map(({ passTypeIdentifier, expiresAt }) => (
                <p key={`${passTypeIdentifier} ${expiresAt}`}>
                  {t.earlierOne(passTypeIdentifier, formatDate(expiresAt))}
                </p>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function OwnCertificate({ loaded, isOwn }: { readonly loaded: LoadedWallets; readonly isOwn: boolean }) {
  const t = records().wallets;
  const [isLeaving, setLeaving] = useState(false);
  const request = useAction(
    () => api.wallets.createSigningRequest(),
    ({ csr }) => {
      saveFile(t.requestFile, new Blob([csr], { type: 'application/pkcs10' }));
      toast(t.requestDone);
    },
  );
  return (
    <section class="panel">
      <header>
        <h2>{t.change}</h2>
      </header>
      <div class="stack">
        <ol class="numbered">
          {t.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div class="row">
          <Button kind="quiet" icon="download" isBusy={request.isBusy} onClick={() => request.run()}>
            {t.request}
          </Button>
        </div>
        <Form
          submit={t.use}
          act={async (filled) => api.wallets.setApple(await identityIn(filled))}
          done={(wallets) => {
            loaded.set(wallets);
            toast(t.used);
          }}
          beside={
            isOwn && (
              <Button kind="plain" onClick={() => setLeaving(true)}>
                {t.remove}
              </Button>
            )
          }
        >
          <FileField name="certificate" label={t.certificate} accept=".cer,.crt,.pem" />
          <FileField name="p12" label={t.orP12} accept=".p12,.pfx" />
          <TextField
            name="passphrase"
            label={t.passphrase}
            type="password"
            autocomplete="off"
            maxLength={200}
          />
        </Form>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={t.removeTitle}
          confirm={t.remove}
          act={() => api.wallets.removeApple()}
          done={(wallets) => {
            setLeaving(false);
            loaded.set(wallets);
            toast(t.removed);
          }}
          onClose={() => setLeaving(false)}
        >
          <p>{t.removeText}</p>
        </ConfirmDialog>
      )}
    </section>
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
