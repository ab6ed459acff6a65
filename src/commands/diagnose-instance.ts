import type { Config } from '../config.ts';
import { findOperatorToken } from '../start/secrets.ts';
import type { Finding } from '../wallet/apple/certificates/inspect-identity.ts';

/** The running service could not be asked; the message says what to do. */
export class DiagnosisFailed extends Error {}

const maxQueueMs = 15_000;

/**
 * What the running service knows of why a phone does not show an update of a card. Raises `DiagnosisFailed` when it
 * does not run, does not know the card, or refuses the operator token.
 */
export async function diagnoseInstance(config: Config, instanceId: string): Promise<Finding[]> {
  const token = await findOperatorToken(config);
  if (token === null) {
    throw new DiagnosisFailed(
      `There is no operator token in ${config.dataDir}. Set DATA_DIR or OPERATOR_TOKEN as the service has it`,
    );
  }
  const address = addressOf(config);
  const answer = await ask(
    `${address}/operator/instances/${encodeURIComponent(instanceId)}/diagnosis`,
    token,
  );
  if (answer === null) {
    throw new DiagnosisFailed(
      `No service answers at ${address}. Start it, or set HOST and PORT as the service has them`,
    );
  }
  return findingsOf(answer, address, instanceId);
}

interface ServiceAnswer {
  readonly status: number;
  readonly body: { readonly findings?: unknown; readonly code?: unknown; readonly error?: unknown };
}

/** The service's answer; null when none comes. */
async function ask(url: string, token: string): Promise<ServiceAnswer | null> {
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(maxQueueMs),
    });
    return { status: reply.status, body: membersOf(await reply.text()) };
  } catch {
    return null;
  }
}

function findingsOf({ status, body }: ServiceAnswer, address: string, instanceId: string): Finding[] {
  if (status === 200 && Array.isArray(body.findings)) return body.findings;
  if (status === 401 || status === 403) {
    throw new DiagnosisFailed(
      `The service at ${address} refuses the operator token. Set DATA_DIR or OPERATOR_TOKEN as the service has it`,
    );
  }
  if (body.code === 'instance_not_found')
    throw new DiagnosisFailed(`No card has the id ${JSON.stringify(instanceId.slice(0, 40))}`);
  if (typeof body.code === 'string')
    throw new DiagnosisFailed(`The service at ${address} answered ${status}: ${body.error}`);
  throw new DiagnosisFailed(
    `What answers at ${address} is not Punchcard. Set HOST and PORT as the service has them`,
  );
}

function membersOf(text: string): ServiceAnswer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Where to reach the service from its own machine: one that listens everywhere listens on the loopback address. */
function addressOf({ host, port }: Config): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
