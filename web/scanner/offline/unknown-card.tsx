import { useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import { TextField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { scannerOffline } from '../../texts/scanner-offline.ts';
import { keepsAwards, sendAward } from './sending.ts';

/** A card that this till has never shown, read without a network: an award is kept under its code. */
export function UnknownCard({
  code,
  readings,
  isTyped,
  done,
}: {
  readonly code: string;
  /** In which ways it may have been meant, this one among them. */
  readonly readings: readonly string[];
  readonly isTyped: boolean;
  readonly done: () => void;
}) {
  const t = scannerOffline();
  const [ref] = useState(newKey);
  if (!keepsAwards.value || !may('award')) return <Notice kind="alert" title={t.noKeeping} />;
  return (
    <Notice title={t.unknownTitle(code)}>
      <p>{t.unknownText}</p>
      <Form
        submit={t.unknownSubmit}
        act={async (filled) => {
          const points = filled.number('points') ?? 1;
          const { kind } = await sendAward({
            ...{ ref, card: { barcode: code }, readings, points, label: code },
            ...(isTyped && { isTyped }),
          });
          const what = `${t.points(formatNumber(points))} ${code}`;
          return kind === 'arrived' ? what : t.kept(what);
        }}
        done={(said) => {
          toast(said);
          done();
        }}
      >
        <TextField name="points" label={t.unknownCount} type="number" value="1" min={1} required />
      </Form>
    </Notice>
  );
}
