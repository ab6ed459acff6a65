import type { Pass, Program } from '../../../sdk/typescript/src/types.ts';
import { useCached } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { CheckField } from '../../shared/field.tsx';
import { Form } from '../../shared/form.tsx';
import { LoadedView } from '../../shared/loaded-view.tsx';
import { Notice } from '../../shared/notice.tsx';
import { designer } from '../../texts/designer.ts';
import { program as texts } from '../../texts/program.ts';
import { api } from '../api.ts';

/** Asks before a program is launched; where its stamps would take the place of a picture, which of both cards show. */
export function LaunchDialog({
  program: { programId, passId, mode, drawsStamps },
  done,
  onClose,
}: {
  readonly program: Program;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = texts();
  const pass = useCached(['passes', passId], (options) => api.passes.get(passId, options));
  return (
    <Dialog title={t.launchOf} onClose={onClose}>
      <LoadedView of={pass} lines={2} height={8}>
        {(known) => {
          const asks = mode === 'STAMPS' && hasPicture(known);
          return (
            <Form
              submit={t.launch}
              act={(filled) =>
                api.programs.update(programId, {
                  status: 'active',
                  ...(asks && { drawsStamps: filled.isChecked('drawsStamps') }),
                })
              }
              done={done}
              secondary={<CancelButton onClose={onClose} />}
            >
              <p>{mode === 'MONEY' ? t.gift.launchText : t.launchText}</p>
              {asks && <StampsQuestion isChecked={drawsStamps} />}
            </Form>
          );
        }}
      </LoadedView>
    </Dialog>
  );
}

function StampsQuestion({ isChecked }: { readonly isChecked: boolean }) {
  const t = designer().stamps;
  return (
    <>
      <Notice title={t.makesWay}>
        <p>{t.makesWayText}</p>
      </Notice>
      <CheckField name="drawsStamps" label={t.draw} hint={t.drawHint} isChecked={isChecked} />
    </>
  );
}

/** Whether a card of the pass has a picture where stamps would be drawn. */
function hasPicture({ type, stripUrl, heroUrl, stamps }: Pass): boolean {
  return stamps.over === 'plain' && ((type !== 'generic' && stripUrl !== null) || heroUrl !== null);
}
