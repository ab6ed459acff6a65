import assert from 'node:assert/strict';
import { serialNumberOf } from '../src/cards/serial-number.ts';
import { cardIdOf, deviceOf, fillInstalledCards, tokenOf } from '../test/fill-cards.ts';
import { httpLoad } from './http-load.ts';
import { scaled } from './options.ts';
import { type BenchResult, report } from './result.ts';
import { passTypeIdentifier, type Service, startPartner, startService, withPostgres } from './service.ts';
import { connections, figures, type Rounds, roundMs, takeTurns } from './turns.ts';

/**
 * What devices ask most: which of their five cards have changed, answered with all of them and with none, and a card
 * whose newest state they have. The service in one process with its default settings, against a bare node:http server
 * that sends one SELECT for each request over a pool of the same size; and the service again with a million cards.
 * All of them take turns, and every request is about some card among all.
 */
export function bench(): Promise<BenchResult[]> {
  return withPostgres(async (server) => {
    const [small, large] = [await startService(server, 'small'), await startService(server, 'large')];
    await fill(small, few);
    await fill(large, many);
    const { said } = await startPartner(server, 'bare-server.ts', small.databaseUrl);
    const setting = { small, large, barePort: Number(said) };
    await assertAllFive(small.port, changesPath(0, 0));
    await assertAllFive(setting.barePort, bareChangesPath(0, 0));
    return [
      ...figures({ ...names, work: 'five serials' }, await compare(setting, changes(0, 200))),
      ...figures({ ...names, work: 'no serials' }, await compare(setting, changes(1, 204))),
      ...figures({ ...names, work: '304' }, await compare(setting, unchangedCard(new Date()))),
    ];
  });
}

const few = 10_000;
const many = Math.max(few, scaled(1_000_000));
const cardsPerDevice = 5;
/** More than are sent, so that hardly any is sent twice. */
const textsPerTurn = 50_000;
const names = { ours: 'from the service', bare: 'from a bare SELECT over HTTP', rows: 'cards' };

interface Setting {
  readonly small: Service;
  readonly large: Service;
  readonly barePort: number;
}

/** A question about card `n`, as the service takes it and as the bare server does. */
interface Question {
  readonly status: number;
  ofService(service: Service, n: number): string;
  ofBare(service: Service, n: number): string;
}

function changes(tag: number, status: number): Question {
  return {
    status,
    ofService: (_service, n) => get(changesPath(n, tag)),
    ofBare: (_service, n) => get(bareChangesPath(n, tag)),
  };
}

function unchangedCard(since: Date): Question {
  const condition = `If-Modified-Since: ${since.toUTCString()}\r\n`;
  return {
    status: 304,
    ofService({ workspaceId, passId }, n) {
      const serialNumber = serialNumberOf({ workspaceId, instanceId: cardIdOf(passId, n) });
      const path = `/apple/v1/passes/${passTypeIdentifier}/${serialNumber}`;
      return get(path, `Authorization: ApplePass ${tokenOf(n)}\r\n${condition}`);
    },
    ofBare: ({ workspaceId, passId }, n) => get(`/cards/${workspaceId}/${cardIdOf(passId, n)}`, condition),
  };
}

/** The device of card `n` asks; every card has changed since tag 0. */
function changesPath(n: number, tag: number): string {
  return `/apple/v1/devices/${deviceIdOf(n)}/registrations/${passTypeIdentifier}?passesUpdatedSince=${tag}`;
}

function bareChangesPath(n: number, tag: number): string {
  return `/changes/${deviceIdOf(n)}/${passTypeIdentifier}/${tag}`;
}

function deviceIdOf(n: number): string {
  return deviceOf(Math.floor(n / cardsPerDevice)).deviceLibraryIdentifier;
}

function get(path: string, headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`;
}

function compare({ small, large, barePort }: Setting, question: Question): Promise<Rounds> {
  const load = (port: number, textOf: () => string) =>
    httpLoad({ port, connections, ms: roundMs, texts: Array.from({ length: textsPerTurn }, textOf) });
  return takeTurns(question.status, {
    service: () => load(small.port, () => question.ofService(small, any(few))),
    large: () => load(large.port, () => question.ofService(large, any(many))),
    bare: () => load(barePort, () => question.ofBare(small, any(few))),
  });
}

function any(cards: number): number {
  return Math.floor(Math.random() * cards);
}

async function fill({ pool, workspaceId, passId }: Service, cards: number): Promise<void> {
  const devices = cards / cardsPerDevice;
  const ids = { workspaceId, passId, passTypeIdentifier };
  await fillInstalledCards(pool, { ...ids, cards, devices, haveChanged: true });
}

async function assertAllFive(port: number, path: string): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`);
  const { serialNumbers } = (await reply.json()) as { serialNumbers: string[] };
  assert.equal(serialNumbers.length, cardsPerDevice, path);
}

if (import.meta.main) process.exitCode = report(await bench()) ? 0 : 1;
