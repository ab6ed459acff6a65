import { invalidate, useCached } from '../../../shared/cached.ts';
import { useAction } from '../../../shared/data.ts';
import { CheckField } from '../../../shared/field.tsx';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { designer } from '../../../texts/designer.ts';
import { api } from '../../api.ts';

/** Of a launched program of stamps: whether its cards draw them in the place of the pictures. Kept at once. */
export function StampsChoice({
  programId,
  onChange,
}: {
  readonly programId: string;
  readonly onChange: () => void;
}) {
  const t = designer().stamps;
  const { value: program } = useCached(['programs', programId], (options) =>
    api.programs.get(programId, options),
  );
  const keep = useAction(
    (drawsStamps: boolean) => api.programs.update(programId, { drawsStamps }),
    () => {
      invalidate(['programs', programId]);
      toast(t.kept);
      onChange();
    },
  );
  if (program === undefined || program.mode !== 'STAMPS' || program.status === 'not_launched') return null;
  if (!may('write')) return null;
  return (
    <CheckField
      name="drawsStamps"
      label={t.draw}
      hint={t.drawHint}
      isChecked={program.drawsStamps}
      onChange={(drawsStamps) => keep.run(drawsStamps)}
    />
  );
}
