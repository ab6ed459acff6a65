import type { Event } from '../../../sdk/typescript/src/types.ts';
import { formatMoment } from '../../shared/format.ts';
import { developers } from '../../texts/developers.ts';

/** All that an event says, with links to what it is about. */
export function EventData({ of }: { readonly of: Event }) {
  const t = developers().events;
  const { createdAt, actor, requestId, passId, instanceId } = of;
  return (
    <div class="stack">
      <dl class="facts">
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys. */}
      <pre class="code block" tabIndex={0}>
        {JSON.stringify({ data: of.data, previous: of.previous }, null, 2)}
      </pre>
    </div>
  );
}
