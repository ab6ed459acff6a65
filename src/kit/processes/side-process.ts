import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { availableParallelism, getPriority, setPriority } from 'node:os';
import { createGate } from '../limits/bulkhead.ts';

/** The side process ended before it had answered, by a fault or because it took too long. The next question starts another. */
export class SideProcessLost extends Error {}

/** How side processes run. Nothing of our environment is in theirs, so no secret either. */
export const sideProcessOptions = {
  serialization: 'advanced',
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  // A process that runs for a moment needs no young generation of a hundred megabytes.
  execArgv: ['--max-semi-space-size=4'],
  env: {
    // Of itself glibc keeps, for each thread, ever larger blocks of what native code has given back.
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '131072',
    // More threads than processors would only hold more memory.
    UV_THREADPOOL_SIZE: String(Math.min(4, availableParallelism())),
  },
} satisfies ForkOptions;

export interface SideProcessLimits {
  /** What the questions that it has at a time may weigh together; the others wait in the order they came. */
  readonly room: number;
  /** A question that is not answered by then ends the process. */
  readonly timeoutMs: number;
  /** Without a question for so long it ends. */
  readonly idleMs: number;
}

/**
 * A separate process for work on untrusted input: where native code crashes, hangs or hoards memory, only that process
 * suffers. It starts with the first question, at a lower priority than other processes. The returned function asks it
 * questions. It raises SideProcessLost, and an Error where answering raised one.
 */
export function sideProcess<Question, Answer>(
  file: URL,
  limits: SideProcessLimits,
): (question: Question, weight: number) => Promise<Answer> {
  const gate = createGate(limits.room);
  let running: Running | undefined;
  return (question, weight) =>
    gate(async () => {
      if (running === undefined || running.hasEnded) running = run(file);
      // The two sides share the types.
      return (await ask(running, question, limits)) as Answer;
    }, weight);
}

/** The other side: answers the questions of the process that started this one, and ends with it. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('message', async ({ id, question }: { id: number; question: Question }) => {
    const reply = await answer(question).then(
      (answer) => ({ id, answer }),
      (error: unknown) => ({
        id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    process.send?.(reply);
  });
  process.on('disconnect', () => process.exit());
  // A terminal sends them to all processes; the other side may have to finish first.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

interface Running {
  readonly child: ChildProcess;
  readonly open: Map<number, Question>;
  asked: number;
  hasEnded: boolean;
  idle?: NodeJS.Timeout;
}

interface Question {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

function run(file: URL): Running {
  const child = fork(file, sideProcessOptions);
  const running: Running = { child, open: new Map(), asked: 0, hasEnded: false };
  const end = (error: Error) => {
    running.hasEnded = true;
    for (const { reject } of running.open.values()) reject(error);
    running.open.clear();
  };
  child.on('message', ({ id, answer, error }: Reply) => {
    const question = running.open.get(id);
    if (error === undefined) question?.resolve(answer);
    else question?.reject(new Error(`The side process raised: ${error}`));
  });
  child.on('exit', (code, signal) => end(new SideProcessLost(`The side process ended: ${signal ?? code}.`)));
  // It could not be started, or not be reached.
  child.on('error', end);
  if (child.pid !== undefined) letOthersFirst(child.pid);
  return running;
}

async function ask(running: Running, question: unknown, limits: SideProcessLimits): Promise<unknown> {
  const { child, open } = running;
  const id = ++running.asked;
  const answered = Promise.withResolvers<unknown>();
  open.set(id, answered);
  const late = setTimeout(() => {
    answered.reject(new SideProcessLost(`The side process took more than ${limits.timeoutMs} ms.`));
    // The others that wait for it are lost with it.
    running.hasEnded = true;
    child.kill('SIGKILL');
  }, limits.timeoutMs);
  clearTimeout(running.idle);
  keepAlive(child, true);
  child.send({ id, question }, (error) => error && answered.reject(new SideProcessLost(error.message)));
  try {
    return await answered.promise;
  } finally {
    clearTimeout(late);
    open.delete(id);
    if (open.size === 0) {
      // Between questions it does not keep this process from ending.
      keepAlive(child, false);
      running.idle = setTimeout(() => retire(running), limits.idleMs).unref();
    }
  }
}

function retire(running: Running): void {
  running.hasEnded = true;
  if (running.child.connected) running.child.disconnect();
}

function keepAlive(child: ChildProcess, isNeeded: boolean): void {
  if (isNeeded) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

/** Below who answers requests, but not so far that a busy machine never comes to it. */
const NICER = 10;

function letOthersFirst(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + NICER, 19));
  } catch {
    // It has ended already; its exit reports that.
  }
}
