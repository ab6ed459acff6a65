import { setTimeout as sleep } from 'node:timers/promises';
import { verifySignature, WebhookVerificationError } from '../sdk/typescript/src/index.ts';
import { commandConfig } from '../src/start/address.ts';
import { type Answering, EventReceiver, type ReceivedMessage } from './fakes/event-receiver.ts';
import { runSimulation, SimulationProblem, say, wholeNumber } from './simulate-terms.ts';

/** The options of the command line, as text. */
export interface SimulateWebhooksOptions {
  readonly port: string;
  readonly secret?: string;
  readonly status: string;
  readonly delay: string;
  readonly hang?: boolean;
  readonly failFirst: string;
}

/** A receiver of events on this machine: verifies and prints each, fails on demand, and runs until it is interrupted. */
export function simulateWebhooks(options: SimulateWebhooksOptions): Promise<void> {
  return runSimulation(
    () => simulate(options),
    (error) => explain(error, options),
  );
}

async function simulate(options: SimulateWebhooksOptions): Promise<void> {
  const { secret = null } = options;
  if (secret !== null && !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
    throw new SimulationProblem('--secret must be one that POST /webhooks has answered, whsec_…');
  const port = wholeNumber(options.port, '--port', 0, 65_535);
  const answering = readAnswering(options);
  const receiver = await EventReceiver.start({ port });
  receiver.answering = answering;
  const seen = new Map<string, number>();
  receiver.onMessage = (message) => say(describe(message, secret, seen));
  const config = commandConfig();
  console.log(
    [
      `A receiver of events, at ${receiver.url}`,
      '',
      'The service reaches it when it is started with',
      '  WEBHOOK_ALLOW_HTTP=yes FETCH_ALLOW_CIDRS=127.0.0.1/32',
      '',
      'Have events posted to it, with a key of yours:',
      `  curl -s ${config.publicUrl}/webhooks -H "authorization: Bearer $KEY" -H 'content-type: application/json' -d '{"url":"${receiver.url}","types":["*"]}'`,
      ...(secret === null
        ? ['', 'Start it again with --secret and the secret of the answer: it verifies then.']
        : []),
      '',
    ].join('\n'),
  );
  try {
    await new Promise<void>((resolve) => {
      process.once('SIGINT', () => resolve());
      process.once('SIGTERM', () => resolve());
    });
  } finally {
    await receiver.close();
  }
  console.log(`Stopped after ${receiver.received.length} messages.`);
}

/** What it answers; raises SimulationProblem. */
export function readAnswering(options: SimulateWebhooksOptions): Answering {
  const status = wholeNumber(options.status, '--status', 200, 599);
  const delayMs = wholeNumber(options.delay, '--delay', 0, 600_000);
  const failFirst = wholeNumber(options.failFirst, '--fail-first', 0, 1_000_000);
  if (options.hang) return 'hang';
  let answered = 0;
  return async (response) => {
    answered += 1;
    const now = answered <= failFirst ? 503 : status;
    if (delayMs > 0) await sleep(delayMs);
    response.writeHead(now).end();
  };
}

/** A line about a message: whether its signature is right, and what it is about. */
export function describe(
  { headers, body }: ReceivedMessage,
  secret: string | null,
  seen: Map<string, number>,
): string {
  const id = String(headers['webhook-id']);
  const times = (seen.get(id) ?? 0) + 1;
  seen.set(id, times);
  const verdict =
    secret === null ? 'not verified' : isSigned({ headers, body }, secret) ? 'verified' : 'WRONG SIGNATURE';
  const event = readEvent(body);
  const attempt = times === 1 ? '' : `, for the ${times}. time`;
  return `${verdict}${attempt}: ${event ?? body.slice(0, 200)}`;
}

function readEvent(body: string): string | null {
  try {
    const { type, data } = JSON.parse(body);
    const about = [data.passId, data.instanceId].filter((id) => id !== null).join(' ');
    const thin = data.data === undefined ? ', thin' : ` ${JSON.stringify(data.data).slice(0, 300)}`;
    return `${data.seq} ${type} ${about} ${data.eventId}${thin}`;
  } catch {
    return null;
  }
}

/** As the client library for receivers has it: it shares no code with the service. */
function isSigned({ headers, body }: Pick<ReceivedMessage, 'headers' | 'body'>, secret: string): boolean {
  try {
    verifySignature(body, headers, secret);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

/** In one line what to do; null when only a developer can. */
function explain(error: unknown, { port }: SimulateWebhooksOptions): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE')
    return `--port ${port} is in use: stop the program that has it, or choose another`;
  return code === 'EACCES' ? `this account may not listen on --port ${port}: choose one above 1023` : null;
}
