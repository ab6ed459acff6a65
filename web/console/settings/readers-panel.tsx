import { useState } from 'preact/hooks';
import type { NfcKey, Wallets } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyBlock } from '../../shared/copy-block.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { useAction } from '../../shared/data.ts';
import { Dialog } from '../../shared/dialog.tsx';
import { TextArea, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { Badge, Notice } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { wallets } from '../../texts/wallets.ts';
import { api } from '../api.ts';

type Shown = Awaited<ReturnType<typeof api.wallets.get>>;

/** Who takes cards by NFC, and the key for them. */
export function ReadersPanel({
  of: { nfc, apple },
  onChanged,
}: {
  readonly of: Wallets;
  readonly onChanged: (wallets: Shown) => void;
}) {
  const t = wallets().nfc;
  const [isBegun, setBegun] = useState(false);
  const [isStopping, setStopping] = useState(false);
  const [key, setKey] = useState<NfcKey | null>(null);
  const show = useAction(() => api.wallets.showNfcKey(), setKey);
  const changed = (after: Shown) => {
    onChanged(after);
    toast(t.saved);
  };
  return (
    <section class="panel">
      <header>
        <h2>{t.heading}</h2>
        <Badge kind={nfc === null ? undefined : 'good'}>{nfc === null ? wallets().none : t.on}</Badge>
      </header>
      <div class="stack">
        <p>
          {t.lead}{' '}
          <a href="/docs/nfc" target="_blank" rel="noreferrer">
            {t.guide}
          </a>
        </p>
        {nfc !== null && !apple.nfc && (
          <Notice kind="note" title={t.notAppleTitle}>
            <p>{t.notApple}</p>
          </Notice>
        )}
        {nfc !== null && (
          <>
            <dl class="facts">
              <div>
                <dt>{t.publicKey}</dt>
                <dd>
                  <CopyField label={t.publicKey} text={nfc.publicKey} />
                </dd>
              </div>
            </dl>
            {!nfc.keptHere && <p class="soft">{t.keptByMaker}</p>}
          </>
        )}
        {may('own') && nfc === null && !isBegun && (
          <div>
            <Button kind="quiet" onClick={() => setBegun(true)}>
              {t.begin}
            </Button>
          </div>
        )}
        {may('own') && (nfc !== null || isBegun) && (
          <Form
            submit={nfc === null ? t.start : t.save}
            act={(filled) => api.wallets.setNfc(readersIn(filled.text('publicKey'), filled.text('issuers')))}
            done={changed}
          >
            <TextField
              name="issuers"
              label={t.issuers}
              hint={t.issuersHint}
              value={nfc?.redemptionIssuers.join(' ') ?? ''}
              inputMode="numeric"
              autocomplete="off"
            />
            {nfc === null && (
              <TextArea
                name="publicKey"
                label={t.theirKey}
                hint={t.theirKeyHint}
                rows={3}
                maxLength={2_000}
              />
            )}
          </Form>
        )}
        {may('own') && nfc !== null && (
          <div class="row">
            {nfc.keptHere && (
              <Button kind="quiet" onClick={() => show.run()} isBusy={show.isBusy}>
                {t.show}
              </Button>
            )}
            <Button kind="plain" onClick={() => setStopping(true)}>
              {t.stop}
            </Button>
          </div>
        )}
      </div>
      {key !== null && (
        <Dialog title={t.showTitle} onClose={() => setKey(null)}>
          <p>{t.showText}</p>
          <CopyBlock text={key.privateKey} />
        </Dialog>
      )}
      {isStopping && (
        <ConfirmDialog
          title={t.stopTitle}
          confirm={t.stop}
          act={() => api.wallets.removeNfc()}
          done={(after) => {
            setStopping(false);
            setBegun(false);
            changed(after);
          }}
          onClose={() => setStopping(false)}
        >
          <p>{t.stopText}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function readersIn(publicKey: string, issuers: string) {
  return {
    ...(publicKey !== '' && { publicKey }),
    redemptionIssuers: issuers.split(/[\s,]+/).filter(Boolean),
  };
}
