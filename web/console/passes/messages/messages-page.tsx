import { useState } from 'preact/hooks';
import type { Message, Pass } from '../../../../sdk/typescript/src/types.ts';
import { Button, LinkButton } from '../../../shared/button.tsx';
import { invalidate, usePages } from '../../../shared/cached.ts';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { useLooking } from '../../../shared/data.ts';
import { DataTable } from '../../../shared/data-table.tsx';
import { formatMoment } from '../../../shared/format.ts';
import { Badge, EmptyState } from '../../../shared/notice.tsx';
import { query } from '../../../shared/router.ts';
import { may } from '../../../shared/session.ts';
import { toast } from '../../../shared/toast.tsx';
import { messages } from '../../../texts/messages.ts';
import { api } from '../../api.ts';
import type { PageProps } from '../../page.ts';
import { PassFrame } from '../pass-tabs.tsx';
import { Composer } from './composer.tsx';
import { DeliveryBar } from './delivery-bar.tsx';

/** What was sent to the holders of a pass, and something new. */
export function MessagesPage({ params: { passId = '' } }: PageProps) {
  const t = messages();
  const written = may('write') ? query.value.get('write') : null;
  return (
    <PassFrame
      passId={passId}
      page="messages"
      actions={() =>
        may('write') &&
        written === null && (
          <LinkButton icon="plus" href={`/console/passes/${passId}/messages?write=new`}>
            {t.create}
          </LinkButton>
        )
      }
    >
      {(pass) =>
        written === null ? (
          <Messages pass={pass} />
        ) : (
          <Composer key={written} pass={pass} messageId={written === 'new' ? null : written} />
        )
      }
    </PassFrame>
  );
}

function Messages({ pass: { passId } }: { readonly pass: Pass }) {
  const t = messages();
  const pages = usePages(['messages', passId], (options) =>
    api.messages.list(passId, { limit: 20 }, options),
  );
  const [takenBack, setTakenBack] = useState<Message | null>(null);
  const isRunning = pages.items?.some(({ state }) => state === 'running') === true;
  useLooking(isRunning, pages.reload);
  return (
    <>
      <DataTable
        label={t.back}
        pages={pages}
        rowKey={({ messageId }) => messageId}
        empty={<EmptyState icon="mail" title={t.empty.title} text={t.empty.text} />}
        columns={[
          { head: t.text, cell: ({ text }) => <span dir="auto">{text ?? t.noText}</span> },
          { head: t.result, cell: (message) => <Result of={message} /> },
          { head: t.state, kind: 'short', cell: (message) => <State of={message} /> },
          { head: t.sentAt, kind: 'short', cell: (message) => <When of={message} /> },
          ...(may('write')
            ? [
                {
                  head: t.actions,
                  kind: 'short' as const,
                  cell: (message: Message) => <Actions of={message} takeBack={() => setTakenBack(message)} />,
                },
              ]
            : []),
        ]}
      />
      {takenBack !== null && (
        <ConfirmDialog
          title={t.takeBackTitle}
          confirm={t.takeBack}
          act={() => api.messages.takeBack(takenBack.messageId)}
          done={() => {
            toast(t.takenBack);
            setTakenBack(null);
            invalidate(['messages', passId]);
          }}
          onClose={() => setTakenBack(null)}
        >
          <blockquote dir="auto">{takenBack.text}</blockquote>
          <p>{takenBack.state === 'planned' ? t.takeBackPlanned : t.takeBackSent}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Result({ of }: { readonly of: Message }) {
  const t = messages();
  if (of.state === 'planned' || of.state === 'cancelled') return null;
  if (of.state !== 'unsent') return <DeliveryBar of={of} />;
  const reason = of.unsentReason ?? '';
  const known = Object.hasOwn(t.unsent, reason) ? (reason as keyof typeof t.unsent) : 'other';
  return <span>{t.unsent[known]}</span>;
}

const kinds = { planned: 'note', running: 'note', finished: 'good', unsent: 'alert' } as const;

function State({ of: { state, endedAt } }: { readonly of: Message }) {
  const t = messages();
  if (endedAt !== null) return <Badge>{t.ended}</Badge>;
  if (state === 'cancelled') return <Badge>{t.states.cancelled}</Badge>;
  return <Badge kind={kinds[state]}>{t.states[state]}</Badge>;
}

/** When it went out, or is to. */
function When({ of: { state, sendAt, createdAt, endsAt, endedAt } }: { readonly of: Message }) {
  const t = messages();
  const isSent = state === 'running' || state === 'finished';
  const end = endedAt ?? endsAt;
  return (
    <span class="who-has">
      <span>{formatMoment(isSent || sendAt === null ? createdAt : sendAt)}</span>
      {end !== null && <span class="soft small">{t.until(formatMoment(end))}</span>}
    </span>
  );
}

function Actions({ of, takeBack }: { readonly of: Message; readonly takeBack: () => void }) {
  const t = messages();
  const { passId, messageId, state, endedAt, text } = of;
  const isOver = endedAt !== null || state === 'cancelled' || state === 'unsent';
  if (isOver) return null;
  return (
    <div class="row">
      {state === 'planned' && (
        <LinkButton kind="quiet" href={`/console/passes/${passId}/messages?write=${messageId}`}>
          {t.change}
        </LinkButton>
      )}
      <Button kind="quiet" label={t.takeBackOf(text ?? t.noText)} onClick={takeBack}>
        {t.takeBack}
      </Button>
    </div>
  );
}
