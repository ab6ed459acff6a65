import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../service-process.ts';

/** Two processes that begin to listen at one port at the same moment: one has it, the other gets the error that it is in use. */
const program = fileURLToPath(new URL('listening-process.ts', import.meta.url));
const processes = [fork(program), fork(program)] as const;
after(() => {
  for (const one of processes) one.kill('SIGKILL');
});

/** Sends a process a message, to listen or to close, and returns its answer. */
async function request(one: ChildProcess, message: object): Promise<string> {
  const answer = once(one, 'message');
  one.send(message);
  return String((await answer)[0]);
}

it('forty pairs, begun together and up to some milliseconds apart: one of each gets the port', async () => {
  for (let pair = 0; pair < 40; pair++) {
    const at = { host: ['127.0.0.1', 'localhost', '0.0.0.0', '127.0.0.1'][pair % 4], port: await freePort() };
    const answers = await Promise.all(
      processes.map(async (one, place) => {
        if (place === pair % 2) await sleep(Math.floor(pair / 8));
        return request(one, at);
      }),
    );
    assert.deepEqual(answers.toSorted(), ['EADDRINUSE', 'listening'], `pair ${pair}, ${at.host}`);
    await Promise.all(processes.map((one) => request(one, { close: true })));
  }
});
