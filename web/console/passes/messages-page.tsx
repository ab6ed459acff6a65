import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { newKey } from '../../../sdk/typescript/src/core/options.ts';
import type { Message, NewMessage } from '../../../sdk/typescript/src/types.ts';
import { Button } from '../../shared/button.tsx';
import { invalidate, usePages } from '../../shared/cached.ts';
import { CancelButton } from '../../shared/cancel-button.tsx';
import { useLooking } from '../../shared/data.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../shared/field.tsx';
import { type Filled, Form } from '../../shared/form.tsx';
import { formatMoment, formatNumber } from '../../shared/format.ts';
import { Badge, EmptyState } from '../../shared/notice.tsx';
import { may } from '../../shared/session.ts';
import { toast } from '../../shared/toast.tsx';
import { program as texts } from '../../texts/program.ts';
import { api } from '../api.ts';
import type { PageProps } from '../page.ts';
import { PassFrame } from './pass-tabs.tsx';

/** What was sent to the holders of a pass, and something new. */
export function MessagesPage({ params: { passId = '' } }: PageProps) {
  const t = texts().messages;
  const pages = usePages(['messages', passId], (options) =>
    api.messages.list(passId, { limit: 20 }, options),
  );
  const [isWriting, setWriting] = useState(false);
  const isRunning = pages.items?.some(({ state }) => state === 'running') === true;
  useLooking(isRunning, pages.reload);
  return (
    <PassFrame
      passId={passId}
      page="messages"
      actions={() =>
        may('write') && (
          <Button icon="plus" onClick={() => setWriting(true)}>
            {t.create}
          </Button>
        )
      }
    >
      {() => (
        <>
          <DataTable
            label={t.create}
            pages={pages}
            rowKey={({ messageId }) => messageId}
            empty={<EmptyState icon="mail" title={t.empty.title} text={t.empty.text} />}
            columns={[
              { head: t.text, cell: ({ text }) => <span dir="auto">{text ?? t.noText}</span> },
              { head: t.result, cell: (message) => <Result of={message} /> },
              {
                head: t.state,
                kind: 'short',
                cell: ({ state }) => (
                  <Badge kind={state === 'finished' ? 'good' : 'note'}>{t.states[state]}</Badge>
                ),
              },
              {
                head: t.sentAt,
                kind: 'short',
                cell: ({ createdAt }) => <span>{formatMoment(createdAt)}</span>,
              },
            ]}
          />
          {isWriting && (
            <NewMessageDialog
              passId={passId}
              done={() => {
                setWriting(false);
                invalidate(['messages', passId]);
              }}
              onClose={() => setWriting(false)}
            />
          )}
        </>
      )}
    </PassFrame>
  );
}

function Result({ of: { delivered, recipients, failed } }: { readonly of: Message }) {
  const t = texts().messages;
  return (
    <span>
      {t.results(formatNumber(delivered), formatNumber(recipients))}
      {failed > 0 && `, ${t.failed(formatNumber(failed))}`}
    </span>
  );
}

/** A message in two steps: what it says and for whom, then what it costs. */
function NewMessageDialog({
  passId,
  done,
  onClose,
}: {
  readonly passId: string;
  readonly done: () => void;
  readonly onClose: () => void;
}) {
  const t = texts().messages;
  const [idempotencyKey] = useState(newKey);
  const [asked, setAsked] = useState<{
    readonly message: NewMessage;
    readonly recipients: number;
    readonly credits: number;
  } | null>(null);
  const cancel = <CancelButton onClose={onClose} />;
  if (asked !== null && asked.recipients > 0)
    return (
      <Dialog title={t.create} onClose={onClose}>
        <Form
          key="send"
          submit={t.send}
          act={() => api.messages.send(passId, asked.message, { idempotencyKey })}
          done={({ recipients }) => {
            toast(t.sent(formatNumber(recipients)));
            done();
          }}
          secondary={
            <Button kind="quiet" onClick={() => setAsked(null)}>
              {t.change}
            </Button>
          }
        >
          <blockquote dir="auto">{asked.message.text}</blockquote>
          <Costs of={asked} />
        </Form>
      </Dialog>
    );
  return (
    <Dialog title={t.create} onClose={onClose}>
      <Form
        submit={t.cost}
        act={async (filled) => {
          const message = messageOf(filled);
          const { recipients, credits } = await api.messages.send(passId, { ...message, dryRun: true });
          return { message, recipients, credits };
        }}
        done={setAsked}
        secondary={cancel}
      >
        <div role="status">{asked?.recipients === 0 && <p>{t.noRecipients}</p>}</div>
        <TextArea
          name="text"
          label={t.text}
          hint={t.textHint}
          required
          maxLength={500}
          rows={3}
          {...(asked && { value: asked.message.text })}
        />
        <SelectField name="whom" label={t.who} options={t.whom} value="all" />
        <TextField name="from" label={t.balance} hint={t.balanceHint} type="number" min={0} />
      </Form>
    </Dialog>
  );
}

/** Has the focus first: it is read before the message is sent. */
function Costs({ of }: { readonly of: { readonly recipients: number; readonly credits: number } }) {
  const t = texts().messages;
  const text = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => text.current?.focus(), []);
  return (
    <p ref={text} tabIndex={-1}>
      {t.costs(formatNumber(of.recipients), formatNumber(of.credits))}
    </p>
  );
}

function messageOf(filled: Filled): NewMessage {
  const whom = filled.text('whom');
  const from = filled.number('from');
  const audience = {
    ...((whom === 'apple' || whom === 'google' || whom === 'web') && { installed: whom }),
    ...(from !== null && { balance: { from } }),
  } satisfies NewMessage['audience'];
  return { text: filled.text('text'), ...(Object.keys(audience).length > 0 && { audience }) };
}
