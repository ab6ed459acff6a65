import type { Event } from '../../../sdk/typescript/src/types.ts';
import { formatMoment } from '../../shared/format.ts';
import { reachByKeys } from '../../shared/reach-by-keys.ts';
import { developers } from '../../texts/developers.ts';

/** All that an event says, with links to what it is about. */
export function EventData({
  of,
  isInRow = false,
}: {
  readonly of: Event;
  /** Next to it the page shows already when it happened, and who did it. */
  readonly isInRow?: boolean;
}) {
  const t = developers().events;
  const { passId, instanceId } = of;
  return (
    <div class="stack">
      <dl class="facts">
        {!isInRow && <Origin of={of} />}
        {passId !== null && (
          <div>
            <dt>{t.pass}</dt>
            <dd class="code">
              <a href={`/console/passes/${passId}/design`}>{passId}</a>
            </dd>
          </div>
        )}
        {instanceId !== null && (
          <div>
            <dt>{t.card}</dt>
            <dd class="code">
              <a href={`/console/cards/${instanceId}`}>{instanceId}</a>
            </dd>
          </div>
        )}
      </dl>
      <pre class="code block" ref={reachByKeys}>
        {JSON.stringify({ data: of.data, previous: of.previous }, null, 2)}
      </pre>
    </div>
  );
}

function Origin({ of: { createdAt, actor, requestId } }: { readonly of: Event }) {
  const t = developers().events;
  return (
    <>
      <div>
        <dt>{t.when}</dt>
        <dd>{formatMoment(createdAt)}</dd>
      </div>
      <div>
        <dt>{t.by}</dt>
        <dd class="code">{actor}</dd>
      </div>
      <div>
        <dt>{t.request}</dt>
        <dd class="code">
          <a href={`/console/developers/requests/${encodeURIComponent(requestId)}`}>{requestId}</a>
        </dd>
      </div>
    </>
  );
}
