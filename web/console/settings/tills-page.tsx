import { useEffect, useState } from 'preact/hooks';
import { encodeQR } from 'qr';
import type { Device, NewlyMadeDevice } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyField } from '../../shared/copy-field.tsx';
import { useLooking } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatDate } from '../../shared/format.ts';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { PageHeader } from '../../shared/page-header.tsx';
import { query } from '../../shared/router.ts';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { shared } from '../../texts/shared.ts';
import { tills } from '../../texts/tills.ts';
import { api } from '../api.ts';
import { SettingsTabs } from './settings-tabs.tsx';
import { usePartners } from './use-partners.ts';

/** What is open above the list. */
type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'pair'; readonly made: NewlyMadeDevice }
  | { readonly kind: 'revoke'; readonly device: Device };

/** Shared tills: made, paired by a QR code, and revoked. */
export function TillsPage() {
  const t = tills();
  const pages = usePages(['devices'], (options) => api.devices.list({ limit: 50 }, options));
  const [open, setOpen] = useState<Open | null>(
    query.value.has('new') && may('write') ? { kind: 'new' } : null,
  );
  const close = () => setOpen(null);
  const isOpenHere = open?.kind === 'pair' ? open.made : null;
  const isPaired = pages.items?.some(({ deviceId, paired }) => paired && deviceId === isOpenHere?.deviceId);
  useLooking(isOpenHere !== null, pages.reload);
  useEffect(() => {
    if (isPaired !== true || isOpenHere === null) return;
    toast(t.isPaired(isOpenHere.name));
    close();
  }, [isPaired]);
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          may('write') && (
            <Button icon="plus" onClick={() => setOpen({ kind: 'new' })}>
              {t.make}
            </Button>
          )
        }
      >
        <SettingsTabs />
      </PageHeader>
      <DataTable
        label={t.title}
        pages={pages}
        rowKey={({ deviceId }) => deviceId}
        empty={<EmptyState icon="store" title={t.empty} text={t.emptyText} />}
        columns={[
          { head: t.name, cell: ({ name }) => <strong dir="auto">{name}</strong> },
          {
            head: t.state,
            kind: 'short',
            cell: ({ paired }) => (
              <Badge kind={paired ? 'good' : 'note'}>{paired ? t.paired : t.waiting}</Badge>
            ),
          },
          { head: t.since, kind: 'short', cell: ({ createdAt }) => <span>{formatDate(createdAt)}</span> },
          ...(may('write')
            ? [
                {
                  head: shared().actions,
                  kind: 'actions' as const,
                  cell: (device: Device) => (
                    <Button kind="quiet" onClick={() => setOpen({ kind: 'revoke', device })}>
                      {t.revoke} <span class="unseen">{device.name}</span>
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {open?.kind === 'new' && (
        <NewTill
          onClose={close}
          done={(made) => {
            invalidate(['devices']);
            setOpen({ kind: 'pair', made });
          }}
        />
      )}
      {isOpenHere !== null && <Pairing made={isOpenHere} onClose={close} />}
      {open?.kind === 'revoke' && (
        <ConfirmDialog
          title={t.revokeOf(open.device.name)}
          confirm={t.revoke}
          act={() => api.devices.revoke(open.device.deviceId)}
          done={() => {
            toast(t.revoked(open.device.name));
            invalidate(['devices']);
            close();
          }}
          onClose={close}
        >
          <p>{t.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function NewTill({
  done,
  onClose,
}: {
  readonly done: (made: NewlyMadeDevice) => void;
  readonly onClose: () => void;
}) {
  const t = tills();
  const partners = usePartners();
  return (
    <Dialog title={t.make} onClose={onClose}>
      <LoadedView of={partners} lines={2}>
        {(all) => (
          <Form
            submit={t.makeSubmit}
            act={(filled) =>
              api.devices.create({ name: filled.text('name'), partnerId: filled.optional('partnerId') })
            }
            done={done}
            secondary={<CancelButton onClose={onClose} />}
          >
            <TextField name="name" label={t.name} hint={t.nameHint} required maxLength={120} />
            {all.length > 0 && (
              <SelectField
                name="partnerId"
                label={t.partner}
                hint={t.partnerHint}
                options={{
                  '': t.noPartner,
                  ...Object.fromEntries(all.map(({ partnerId, name }) => [partnerId, name])),
                }}
              />
            )}
          </Form>
        )}
      </LoadedView>
    </Dialog>
  );
}

/** The code that pairs a till, for the camera of the device. It is drawn here: its secret is in no address that is requested. */
function Pairing({
  made: { name, code },
  onClose,
}: {
  readonly made: NewlyMadeDevice;
  readonly onClose: () => void;
}) {
  const t = tills();
  const link = `${location.origin}/scan/pair#${code}`;
  const rows = encodeQR(link, 'raw', { ecc: 'medium', border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <Dialog title={t.pairOf(name)} onClose={onClose}>
      <div class="stack">
        <p>{t.pairText}</p>
        <svg
          class="qr pairing"
          viewBox={`0 0 ${rows.length} ${rows.length}`}
          role="img"
          shape-rendering="crispEdges"
        >
          <title>{t.qr}</title>
          <path d={path.join('')} fill="#000000" />
        </svg>
        <p>
          {t.code(`${location.host}/scan/pair`)}
          <strong class="typed-code">{code}</strong>
        </p>
        <CopyField label={t.link} text={link} />
      </div>
    </Dialog>
  );
}
