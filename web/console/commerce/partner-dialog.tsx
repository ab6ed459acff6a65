import type { Partner } from '../../../sdk/typescript/src/types.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { partners } from '../../texts/partners.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { pointText, readPoint } from '../read-places.ts';

/** A new partner, or one that is changed. */
export function PartnerDialog({
  partner,
  done,
  onClose,
}: {
  /** Absent: a new one. */
  readonly partner?: Partner;
  readonly done: (partner: Partner) => void;
  readonly onClose: () => void;
}) {
  const t = partners();
  return (
    <Dialog title={partner === undefined ? t.create : t.editTitle} onClose={onClose}>
      <Form
        submit={partner === undefined ? t.createSubmit : shared().save}
        act={async (filled): Promise<Partner> => {
          const body = {
            name: filled.text('name'),
            externalId: filled.optional('externalId'),
            location: readPoint('location', filled.text('location')),
          };
          return partner === undefined
            ? api.partners.create(body)
            : api.partners.update(partner.partnerId, body);
        }}
        done={done}
        secondary={<CancelButton onClose={onClose} />}
      >
        <TextField
          name="name"
          label={t.name}
          value={partner?.name ?? ''}
          required
          maxLength={200}
          autocomplete="off"
        />
        <TextField
          name="externalId"
          label={t.externalId}
          hint={t.externalIdHint}
          value={partner?.externalId ?? ''}
          maxLength={255}
          autocomplete="off"
        />
        <TextField
          name="location"
          label={t.location}
          hint={t.locationHint}
          value={pointText(partner?.location ?? null)}
          maxLength={100}
          autocomplete="off"
        />
      </Form>
    </Dialog>
  );
}
