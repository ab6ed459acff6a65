import { useState } from 'preact/hooks';
import { newKey } from '../../../../sdk/typescript/src/core/options.ts';
import type { Message, NewMessage, Pass } from '../../../../sdk/typescript/src/types.ts';
import { LinkButton } from '../../../shared/button.tsx';
import { invalidate, useCached } from '../../../shared/cached.ts';
import { TextArea, TextField } from '../../../shared/field.tsx';
import { type Filled, Form } from '../../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../../shared/format.ts';
import { LoadedView } from '../../../shared/loaded-view.tsx';
import { navigate } from '../../../shared/router.ts';
import { toast } from '../../../shared/toast.tsx';
import { momentOf, wallTimeOf } from '../../../shared/wall-time.ts';
import { messages } from '../../../texts/messages.ts';
import { api } from '../../api.ts';
import { audienceOf, chosenOf } from './audience.ts';
import { AudienceFields } from './audience-fields.tsx';
import { LockScreen } from './lock-screen.tsx';

const mostCharacters = 500;

/** Writes a message to the holders of a pass, or changes one that waits for its time. */
export function Composer({ pass, messageId }: { readonly pass: Pass; readonly messageId: string | null }) {
  const workspace = useCached(['workspace'], (options) => api.workspace.get(options));
  const message = useCached(['messages', pass.passId, messageId], async (options) =>
    messageId === null ? null : await api.messages.get(messageId, options),
  );
  return (
    <LoadedView of={workspace} lines={4} height={8}>
      {({ timezone }) => (
        <LoadedView of={message} lines={4} height={8}>
          {(value) => <Written pass={pass} message={value} timezone={timezone} />}
        </LoadedView>
      )}
    </LoadedView>
  );
}

function Written({
  pass,
  message,
  timezone,
}: {
  readonly pass: Pass;
  readonly message: Message | null;
  readonly timezone: string;
}) {
  const t = messages();
  const { passId } = pass;
  const [idempotencyKey] = useState(newKey);
  const [text, setText] = useState(message?.text ?? '');
  const [chosen, setChosen] = useState(() => chosenOf(message?.audience ?? null));
  const [isPlanned, setPlanned] = useState(message?.sendAt != null);
  const href = `/console/passes/${passId}/messages`;
  const timeOf = (moment: string | null | undefined) => (moment ? wallTimeOf(moment, timezone) : '');
  const momentIn = (filled: Filled, name: string) => {
    const wall = filled.optional(name);
    return wall === null ? null : momentOf(wall, timezone);
  };

  async function send(filled: Filled): Promise<string> {
    const [sendAt, endsAt] = [momentIn(filled, 'sendAt'), momentIn(filled, 'endsAt')];
    const audience = audienceOf(chosen);
    if (message !== null) {
      const changes = { text: filled.text('text'), audience: audience ?? null, endsAt };
      // At once: a minute from now is soon enough for a message that has waited.
      const soon = new Date(Date.now() + 60_000).toISOString();
      await api.messages.update(message.messageId, { ...changes, sendAt: sendAt ?? soon });
      return t.saved;
    }
    const written: NewMessage = {
      text: filled.text('text'),
      ...(audience && { audience }),
      ...(sendAt && { sendAt }),
      ...(endsAt && { endsAt }),
    };
    const { recipients } = await api.messages.send(passId, written, { idempotencyKey });
    return sendAt === null ? t.sent(formatNumber(recipients)) : t.planned(formatMoment(sendAt));
  }

  return (
    <section class="composer" aria-labelledby="composer">
      <div class="stack">
        <h2 id="composer">{message === null ? t.create : t.edit}</h2>
        <Form
          submit={message !== null ? t.save : isPlanned ? t.plan : t.send}
          act={send}
          done={(said) => {
            toast(said);
            invalidate(['messages', passId]);
            navigate(href);
          }}
          secondary={
            <LinkButton kind="quiet" href={href}>
              {t.cancel}
            </LinkButton>
          }
        >
          <TextArea
            name="text"
            label={t.text}
            hint={`${t.textHint} ${t.left(formatNumber(mostCharacters - text.length))}`}
            required
            maxLength={mostCharacters}
            rows={4}
            value={message?.text ?? ''}
            onInput={setText}
          />
          <AudienceFields pass={pass} chosen={chosen} onChange={setChosen} isPlanned={isPlanned} />
          <h3>{t.when}</h3>
          <div class="composer-pair">
            <TextField
              name="sendAt"
              type="datetime-local"
              label={t.sendAt}
              hint={t.sendAtHint(timezone)}
              value={timeOf(message?.sendAt)}
              onInput={(value) => setPlanned(value !== '')}
            />
            <TextField
              name="endsAt"
              type="datetime-local"
              label={t.endsAt}
              hint={`${t.endsAtHint} ${t.end}`}
              value={timeOf(message?.endsAt)}
            />
          </div>
          <p class="soft small">{t.limits}</p>
        </Form>
      </div>
      <LockScreen pass={pass} text={text} />
    </section>
  );
}
