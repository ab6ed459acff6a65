import type { ChildProcess } from 'node:child_process';
import { within } from '../promises.ts';

/** Questions between this process and one that it has forked, or that has forked it. */
export interface Link {
  /** What the other side answers. Raises an Error when it is gone, does not answer in time, or raises one itself. */
  ask<Answer>(name: string, content: unknown, timeoutMs: number): Promise<Answer>;
  /** Answers the questions of that name. What goes over the link is what JSON can say. */
  answer<Question>(name: string, reply: (content: Question) => unknown): void;
}

interface Message {
  readonly id: number;
  /** Of a question. */
  readonly name?: string;
  readonly content?: unknown;
  /** Of an answer that failed. */
  readonly error?: string;
}

interface Open {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The link to a child, or with `process` to the parent. */
export function createLink(other: ChildProcess | NodeJS.Process): Link {
  const open = new Map<number, Open>();
  const replies = new Map<string, (content: unknown) => unknown>();
  let asked = 0;
  const emitter = other as ChildProcess;

  emitter.on('message', async ({ id, name, content, error }: Message) => {
    if (name !== undefined) return void send(await replyTo(id, name, content));
    if (error === undefined) open.get(id)?.resolve(content);
    else open.get(id)?.reject(new Error(error));
  });
  emitter.on('disconnect', () => {
    for (const { reject } of open.values()) reject(new Error('the other process is gone'));
  });

  return {
    async ask<Answer>(name: string, content: unknown, timeoutMs: number): Promise<Answer> {
      const id = ++asked;
      const answered = Promise.withResolvers<unknown>();
      open.set(id, answered);
      send({ id, name, content }, answered.reject);
      try {
        // The two sides share the types.
        return (await within(timeoutMs, answered.promise)) as Answer;
      } finally {
        open.delete(id);
      }
    },
    answer(name, reply) {
      // The two sides share the types.
      replies.set(name, reply as (content: unknown) => unknown);
    },
  };

  async function replyTo(id: number, name: string, content: unknown): Promise<Message> {
    try {
      const reply = replies.get(name);
      if (reply === undefined) return { id, error: `the other process does not answer ${name}` };
      return { id, content: await reply(content) };
    } catch (error) {
      return { id, error: String(error) };
    }
  }

  /** The other side may end at any moment: that is no failure of this one. */
  function send(message: Message, onFailure: (error: Error) => void = () => undefined): void {
    if (emitter.connected) emitter.send(message, (error) => error && onFailure(error));
    else onFailure(new Error('the other process is gone'));
  }
}
