import { useEffect, useState } from 'preact/hooks';
import type { Pass } from '../../../../sdk/typescript/src/types.ts';
import { sentenceOf } from '../../../shared/api-error.ts';
import { useCached } from '../../../shared/cached.ts';
import { SelectField, TextField } from '../../../shared/field.tsx';
import { formatNumber } from '../../../shared/format.ts';
import { messages } from '../../../texts/messages.ts';
import { api } from '../../api.ts';
import { audienceOf, type Chosen, groupsOf } from './audience.ts';

/** Who gets a message, and how many they are. */
export function AudienceFields({
  pass,
  chosen,
  onChange,
  isPlanned,
}: {
  readonly pass: Pass;
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
  readonly isPlanned: boolean;
}) {
  const t = messages();
  const { programId } = pass;
  const program = useCached(['programs', programId], async (options) =>
    programId === null ? undefined : await api.programs.get(programId, options),
  );
  const change = (changes: Partial<Chosen>) => onChange({ ...chosen, ...changes });
  return (
    <>
      <fieldset class="field">
        <legend>{t.who}</legend>
        <div class="composer-groups">
          {Object.entries(groupsOf(pass, program.value)).map(([group, shown]) => (
            <label key={group}>
              <input
                type="radio"
                name="group"
                value={group}
                checked={chosen.group === group}
                onChange={() => change({ group })}
              />
              <span dir="auto">{shown}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div class="composer-pair">
        {chosen.group === 'away' && (
          <TextField
            name="audience.awayDays"
            label={t.awayDays}
            type="number"
            min={1}
            max={3650}
            required
            value={String(chosen.awayDays)}
            onInput={(value) => Number(value) > 0 && change({ awayDays: Number(value) })}
          />
        )}
        <SelectField
          name="audience.installed"
          label={t.wallet}
          options={t.wallets}
          value={chosen.wallet}
          onChange={(wallet) => change({ wallet: wallet as Chosen['wallet'] })}
        />
        {programId !== null && program.value?.mode !== 'MONEY' && (
          <TextField
            name="audience.balance"
            label={t.balance}
            hint={t.balanceHint}
            type="number"
            min={0}
            value={chosen.balance === null ? '' : String(chosen.balance)}
            onInput={(value) => change({ balance: value === '' ? null : Number(value) })}
          />
        )}
      </div>
      <Count passId={pass.passId} chosen={chosen} isPlanned={isPlanned} />
    </>
  );
}

/** How many cards it would go to now: asked for when nothing has changed for a moment. */
function Count({
  passId,
  chosen,
  isPlanned,
}: {
  readonly passId: string;
  readonly chosen: Chosen;
  readonly isPlanned: boolean;
}) {
  const t = messages();
  const settled = useSettled(JSON.stringify(audienceOf(chosen) ?? null));
  const counted = useCached(['messages', passId, 'count', settled], async (options) => {
    const audience = JSON.parse(settled) as ReturnType<typeof audienceOf> | null;
    return api.messages.send(passId, { text: '–', dryRun: true, ...(audience && { audience }) }, options);
  });
  const { value, error } = counted;
  const left = value !== undefined && 'announcementsLeft' in value ? value.announcementsLeft : null;
  return (
    <p class="composer-count" role="status">
      {error !== undefined
        ? sentenceOf(error)
        : value === undefined
          ? t.counting
          : value.recipients === 0
            ? t.noRecipients
            : value.recipients === 1
              ? t.one
              : t.count(formatNumber(value.recipients), formatNumber(value.credits))}
      {isPlanned && <span class="soft small"> {t.countedThen}</span>}
      {left !== null && !isPlanned && <span class="small"> {t.announces(left)}</span>}
    </p>
  );
}

/** A text once it has stayed the same for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 250);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
