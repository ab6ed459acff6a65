import { useState } from 'preact/hooks';
import type { DesignPreview, Pass, PassChanges } from '../../../../sdk/typescript/src/types.ts';
import { Button } from '../../../shared/button.tsx';
import { invalidate } from '../../../shared/cached.ts';
import { useAction } from '../../../shared/data.ts';
import { Dialog } from '../../../shared/dialog.tsx';
import { Form } from '../../../shared/form.tsx';
import { formatNumber } from '../../../shared/format.ts';
import { Notice } from '../../../shared/notice.tsx';
import { toast } from '../../../shared/toast.tsx';
import { designer } from '../../../texts/designer.ts';
import { passes } from '../../../texts/passes.ts';
import { shared } from '../../../texts/shared.ts';
import { api } from '../../api.ts';

/** What saving would reach, and what there is to pay it with. */
interface Asked {
  readonly status: Pass['status'] | undefined;
  readonly change: NonNullable<DesignPreview['change']>;
  readonly balance: number;
}

type Saved = Awaited<ReturnType<typeof api.passes.update>>;

/** Saves a design. Where cards are out already, it says first how many change and what that costs. */
export function SaveBar({
  pass,
  changes,
  change,
  onSaved,
  onDiscard,
  onRefused,
}: {
  readonly pass: Pass;
  readonly changes: PassChanges;
  /** As the newest drawing shows it. */
  readonly change: DesignPreview['change'] | undefined;
  readonly onSaved: (saved: Saved) => void;
  readonly onDiscard: () => void;
  /** The design cannot be saved as it is: the field that is wrong says so. */
  readonly onRefused: (error: unknown) => void;
}) {
  const t = designer().save;
  const { passId } = pass;
  const isChanged = Object.keys(changes).length > 0;
  const [asked, setAsked] = useState<Asked | null>(null);
  const save = async (status?: Pass['status']) =>
    api.passes.update(passId, status === undefined ? changes : { ...changes, status });
  const done = (saved: Saved) => {
    toast(saved.status !== pass.status ? passes().published(saved.title) : shared().saved);
    invalidate(['passes', 'names']);
    onSaved(saved);
  };
  const begin = useAction(async (status?: Pass['status']) => {
    try {
      const reached = (await api.passes.previewDesign({ passId, ...changes })).change;
      if (reached === null || reached.cards === 0) return done(await save(status));
      const { balance } = await api.credits.get();
      setAsked({ status, change: reached, balance });
    } catch (error) {
      onRefused(error);
      throw error;
    }
  });
  return (
    <div class="save-bar">
      <p class="small" role="status">
        {isChanged ? <strong>{t.unsaved}</strong> : <span class="soft">{t.allSaved}</span>}
        {isChanged && change != null && change.cards > 0 && (
          <span class="soft number">
            {t.willChange(formatNumber(change.cards), formatNumber(change.credits))}
          </span>
        )}
      </p>
      <div class="row">
        {isChanged && (
          <Button kind="plain" onClick={onDiscard}>
            {t.discard}
          </Button>
        )}
        <Button
          kind={pass.status === 'published' ? 'primary' : 'quiet'}
          isBusy={begin.isBusy}
          isDisabled={!isChanged}
          onClick={() => begin.run()}
        >
          {shared().save}
        </Button>
        {pass.status !== 'published' && (
          <Button isBusy={begin.isBusy} onClick={() => begin.run('published')}>
            {isChanged ? t.saveAndPublish : passes().publish}
          </Button>
        )}
      </div>
      {asked !== null && (
        <Dialog
          title={t.ask(asked.change.cards, formatNumber(asked.change.cards))}
          onClose={() => setAsked(null)}
        >
          <Form
            submit={t.update}
            act={() => save(asked.status)}
            done={(saved) => {
              setAsked(null);
              done(saved);
            }}
            secondary={
              <Button kind="quiet" onClick={() => setAsked(null)}>
                {shared().cancel}
              </Button>
            }
          >
            <p>{t.cost(formatNumber(asked.change.credits), formatNumber(asked.balance))}</p>
            {asked.balance < asked.change.credits && (
              <Notice title={t.tooFew(formatNumber(asked.change.credits - asked.balance))} />
            )}
          </Form>
        </Dialog>
      )}
    </div>
  );
}
