import type { TObject } from 'typebox';
import type { KeyCtx } from '../context.ts';
import { refusal } from '../errors.ts';
import type { Endpoint } from '../kit/http/endpoints/endpoint.ts';
import { decodeId } from '../kit/ids.ts';
import { answer, endpoint } from './endpoints.ts';
import type { Watched } from './progress.ts';

type PathOf<P extends TObject> = Readonly<Record<keyof P['properties'] & string, string>>;

/** Whatever is watched hangs on a pass. */
interface OfPass {
  readonly passId: string;
}

interface Spec<P extends TObject, Shown extends OfPass>
  extends Pick<Endpoint<KeyCtx>, 'op' | 'tag' | 'summary' | 'errors'> {
  readonly call: string;
  readonly params: P;
  /** The operation that answers the resource once. */
  readonly get: string;
  /** When its work has ended, for the reference. */
  readonly ends: string;
  isDone(shown: Shown): boolean;
  /** What that operation answers; raises what it refuses. */
  show(ctx: KeyCtx, params: PathOf<P>): Promise<Shown>;
}

/** The operation that sends a resource as it changes, until the long work that it shows has ended. */
export function progressEndpoint<P extends TObject, Shown extends OfPass>(
  spec: Spec<P, Shown>,
): Endpoint<KeyCtx> {
  const { get, ends, errors, isDone: _, show: __, ...described } = spec;
  return endpoint({
    ...described,
    description: `Server-sent events: \`progress\` with what \`${get}\` answers, at once unless Last-Event-ID names that state, and whenever it changes; \`done\` with the same ${ends}, and then the stream ends. Who comes again with the id of that is answered 204, which ends an EventSource. A comment every 15 seconds while nothing happens. A key that is revoked is cut off.`,
    answers: { 200: 'text/event-stream', 204: null },
    errors: [...errors, 'overloaded'],
    async handle(ctx: KeyCtx, { params, headers }) {
      const watched = watchedBy(ctx, spec, params as PathOf<P>);
      const events = await ctx.app.progress.open(watched, headers['last-event-id'], ctx.client?.signal);
      if (events === null) return answer(204, null);
      // nginx would wait for more before it passes on an event.
      return answer(200, events, { 'x-accel-buffering': 'no' });
    },
  });
}

function watchedBy<P extends TObject, Shown extends OfPass>(
  admitted: KeyCtx,
  { get, show, isDone }: Spec<P, Shown>,
  params: PathOf<P>,
): Watched {
  let ctx = admitted;
  let passId = '';
  return {
    name: `${ctx.workspaceId}/${get}/${Object.values(params).join('/')}`,
    workspaceId: ctx.workspaceId,
    async admit() {
      ctx = await ctx.app.askKeyAgain.ifLate(ctx);
      if (ctx.passIds !== null && !ctx.passIds.has(passId))
        throw refusal('insufficient_scope', 'This API key is restricted to other passes.');
    },
    async show() {
      const shown = await show(ctx, params);
      passId = decodeId('pass', shown.passId) ?? '';
      return { shown, isDone: isDone(shown) };
    },
  };
}
