import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions } from './side-process.ts';

export type Order =
  | { do: 'echo'; bytes?: Buffer }
  | { do: 'describe' }
  | { do: 'wait'; forMs: number }
  | { do: 'fail' }
  | { do: 'crash' };

/** A side process that follows its orders. */
answerQuestions(async (order: Order) => {
  if (order.do === 'echo') return order.bytes;
  if (order.do === 'describe') return { pid: process.pid, env: process.env, nice: getPriority() };
  if (order.do === 'wait') return sleep(order.forMs, process.pid);
  if (order.do === 'fail') throw new TypeError('no such thing');
  return process.kill(process.pid, 'SIGKILL');
});
