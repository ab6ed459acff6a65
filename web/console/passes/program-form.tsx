import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Pass, Program, ProgramChanges, ProgramPreview } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Form } from '../../shared/form.tsx';
import { formatNumber } from '../../shared/format.ts';
import { Notice } from '../../shared/notice.tsx';
import { toast } from '../../shared/toast.tsx';
import { designer } from '../../texts/designer.ts';
import { program as texts } from '../../texts/program.ts';
import { shared } from '../../texts/shared.ts';
import { api } from '../api.ts';
import { Drawings } from './designer/drawings.tsx';
import { usePreview } from './designer/use-preview.ts';
import { MoneyRules } from './money-rules.tsx';
import {
  changesOf,
  type Draft,
  draftOf,
  type Mode,
  newDraft,
  newProgramOf,
  shownOf,
} from './program-draft.ts';
import { RareRules } from './program-rules.tsx';
import { Sentence } from './program-sentence.tsx';

/** A change that cards would show, or that gives people rewards. */
interface Asked {
  readonly programId: string;
  readonly changes: ProgramChanges;
  readonly effect: ProgramPreview;
  readonly balance: number;
}

/** The rule of a program, the card next to it, and what few need, folded. Without a program it makes one. */
export function ProgramForm({
  pass,
  program,
  done,
  children,
}: {
  readonly pass: Pass;
  readonly program: Program | null;
  readonly done: () => void;
  /** Below the rule; on a narrow page below the card. */
  readonly children?: ComponentChildren;
}) {
  const t = texts();
  const modes: readonly Mode[] = pass.type === 'giftCard' ? ['MONEY', ...usualModes] : usualModes;
  const [draft, setDraft] = useState<Draft>(() =>
    program === null ? newDraft(modes[0] ?? 'STAMPS') : draftOf(program),
  );
  const [asked, setAsked] = useState<Asked | null>(null);
  const set = (some: Partial<Draft>) => setDraft((known) => ({ ...known, ...some }));
  const isOfList = program !== null && draft.mode === 'POINTS';
  const goal = draft.mode === 'STAMPS' ? 'threshold' : 'reward.cost';
  const names = isOfList
    ? { title: 'rewards[0].title', goal: 'rewards[0].cost' }
    : { title: 'reward.title', goal };
  const saved = (text: string) => {
    toast(text);
    done();
  };
  return (
    <div class="program">
      <section class="panel rule" aria-label={t.rules}>
        <Form
          submit={program === null ? t.create : shared().save}
          act={() => (program === null ? create(pass.passId, draft) : ask(program, draft))}
          done={(next) => {
            if (next === null) saved(program === null ? createdText(draft.mode) : t.saved);
            else setAsked(next);
          }}
        >
          {program === null && (
            <ModeChoice modes={modes} mode={draft.mode} choose={(mode) => setDraft(newDraft(mode))} />
          )}
          {draft.mode === 'MONEY' ? (
            <MoneyRules draft={draft} set={set} isNew={program === null} />
          ) : (
            <Sentence draft={draft} set={set} names={names} />
          )}
          {program !== null && isTranslated(pass, program, draft) && (
            <p class="hint" role="status">
              {t.keepsTranslations} <a href={`/console/passes/${pass.passId}/design`}>{t.toTranslations}</a>
            </p>
          )}
          {program !== null && draft.mode !== 'MONEY' && <RareRules draft={draft} set={set} />}
        </Form>
      </section>
      <LiveCard pass={pass} draft={draft} />
      <div class="below stack">{children}</div>
      {asked !== null && (
        <Consequences
          {...asked}
          mode={draft.mode}
          onClose={() => setAsked(null)}
          done={() => {
            setAsked(null);
            saved(t.saved);
          }}
        />
      )}
    </div>
  );
}

function createdText(mode: Mode): string {
  const t = texts();
  return mode === 'MONEY' ? t.gift.created : t.created;
}

/** Whether the reward has another name now than the one that was translated. */
function isTranslated({ translations }: Pass, { reward }: Program, { rewards: [first] }: Draft): boolean {
  const hasTranslation = Object.values(translations).some((one) => one.program?.rewardTitle !== undefined);
  return hasTranslation && first?.title !== reward.title;
}

async function create(passId: string, draft: Draft): Promise<null> {
  await api.programs.create(newProgramOf(passId, draft));
  return null;
}

/** Saves a change that no card shows; null then. */
async function ask({ programId, ...program }: Program, draft: Draft): Promise<Asked | null> {
  const changes = changesOf({ programId, ...program }, draft);
  const effect = await api.programs.preview(programId, changes);
  if (effect.cards === 0 && effect.rewardedCards === 0) {
    await api.programs.update(programId, changes);
    return null;
  }
  const { balance } = await api.credits.get();
  return { programId, changes, effect, balance };
}

/** What the cards of any pass may count. */
const usualModes = ['STAMPS', 'POINTS'] as const;

export function ModeChoice({
  modes = usualModes,
  mode,
  choose,
}: {
  readonly modes?: readonly Mode[];
  readonly mode: Mode;
  readonly choose: (mode: Mode) => void;
}) {
  const t = texts();
  return (
    <fieldset class="segments" aria-label={t.mode}>
      {modes.map((one) => (
        <button type="button" key={one} aria-pressed={one === mode} onClick={() => choose(one)}>
          {t.modes[one]}
        </button>
      ))}
    </fieldset>
  );
}

/** The card as wallets would show it, with what is typed. */
export function LiveCard({ pass, draft }: { readonly pass: Pass; readonly draft: Draft }) {
  const shown = shownOf(draft);
  const last = useRef(shown);
  if (shown !== undefined) last.current = shown;
  const preview = usePreview({ passId: pass.passId, ...(last.current && { program: last.current }) });
  return (
    <div class="live-card">
      <Drawings preview={preview} title={pass.title} hasField={false} />
      <p class="small soft">{texts().liveText}</p>
    </div>
  );
}

/** What a change does, before it is made. */
function Consequences({
  programId,
  changes,
  effect: { cards, credits, rewardedCards, rewards },
  balance,
  mode,
  onClose,
  done,
}: Asked & { readonly mode: Mode; readonly onClose: () => void; readonly done: () => void }) {
  const t = texts().effect;
  const { save } = designer();
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form
        submit={shared().save}
        act={() => api.programs.update(programId, changes)}
        done={done}
        secondary={
          <Button kind="quiet" onClick={onClose}>
            {shared().cancel}
          </Button>
        }
      >
        {rewardedCards > 0 && mode !== 'MONEY' && (
          <p>
            <strong>{t[mode](rewardedCards, formatNumber(rewardedCards), formatNumber(rewards))}</strong>
          </p>
        )}
        {cards > 0 && <p>{t.cards(cards, formatNumber(cards))}</p>}
        {credits > 0 && <p class="soft">{save.cost(formatNumber(credits), formatNumber(balance))}</p>}
        {balance < credits && <Notice title={save.tooFew(formatNumber(credits - balance))} />}
      </Form>
    </Dialog>
  );
}
