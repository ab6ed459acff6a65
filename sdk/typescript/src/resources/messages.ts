import type { CallOptions } from '../core/options.ts';
import type { List } from '../core/pages.ts';
import { path } from '../core/request.ts';
import { Resource } from '../core/resource.ts';
import type { FileResult, Result } from '../core/result.ts';
import type {
  ListMessagesQuery,
  Message,
  MessageCost,
  MessageUpdate,
  NewMessage,
  SentMessage,
} from '../types.ts';

export class MessagesResource extends Resource {
  /**
   * Send a text to the installed cards of a pass.
   *
   * The lock screen shows it and the back of the card keeps the newest one. To every installed card, or
   * to an `audience`: the cards of which all holds that it names. A credit for each card; not enough for
   * all, and nothing is sent. With `dryRun` it answers how many cards these are, and sends nothing. Who
   * comes to match after the audience was counted may do without; for cards that were removed before
   * their turn the credits come back. With `sendAt` it is kept and goes out then, to those who match
   * then, and is paid for then; with `endsAt` its text leaves the cards at that moment. Void cards get
   * none.
   *
   * Refused with `unknown_field_key`, `insufficient_credits`, `forbidden`, `pass_not_found`,
   * `partner_not_found`.
   */
  send(
    passId: string,
    body: NewMessage,
    options?: CallOptions,
  ): Promise<(MessageCost | SentMessage) & Result> {
    return this.sender.json<MessageCost | SentMessage>(
      { method: 'POST', path: path`/passes/${passId}/messages`, body, key: 'header' },
      options,
    );
  }

  /**
   * The messages of a pass.
   *
   * Newest first, each with its outcome so far.
   *
   * Refused with `forbidden`, `pass_not_found`.
   */
  list(passId: string, query?: ListMessagesQuery, options?: CallOptions): List<Message> {
    return this.sender.list<Message>(
      { method: 'GET', path: path`/passes/${passId}/messages`, query },
      options,
    );
  }

  /**
   * A message and its outcome.
   *
   * `recipients` are always the sum of `delivered`, `failed`, `skipped` and `waiting`. Each card counts
   * once, with the first of its wallets that was notified.
   *
   * Refused with `forbidden`, `message_not_found`.
   */
  get(messageId: string, options?: CallOptions): Promise<Message & Result> {
    return this.sender.json<Message>({ method: 'GET', path: path`/messages/${messageId}` }, options);
  }

  /**
   * Change a message that waits for its time.
   *
   * Everything but its pass. `null` takes the audience or the end away.
   *
   * Refused with `unknown_field_key`, `forbidden`, `message_not_found`, `partner_not_found`,
   * `message_already_sent`.
   */
  update(messageId: string, body: MessageUpdate, options?: CallOptions): Promise<Message & Result> {
    return this.sender.json<Message>(
      { method: 'PATCH', path: path`/messages/${messageId}`, body, key: 'header' },
      options,
    );
  }

  /**
   * Take a message back.
   *
   * One that waits for its time is not sent. The text of one that has gone out leaves the cards, by an
   * update of each at a credit; notifications that phones have shown stay, and a newer message too.
   * Repeating it changes nothing.
   *
   * Refused with `forbidden`, `message_not_found`.
   */
  takeBack(messageId: string, options?: CallOptions): Promise<Message & Result> {
    return this.sender.json<Message>(
      { method: 'POST', path: path`/messages/${messageId}/take-back`, key: 'header' },
      options,
    );
  }

  /**
   * The outcome of a message, as it happens.
   *
   * Server-sent events: `progress` with what `getMessage` answers, at once unless Last-Event-ID names
   * that state, and whenever it changes; `done` with the same once no card waits, and then the stream
   * ends. Who comes again with the id of that is answered 204, which ends an EventSource. A comment every
   * 15 seconds while nothing happens. A key that is revoked is cut off.
   *
   * Refused with `forbidden`, `message_not_found`.
   */
  progress(messageId: string, options?: CallOptions): Promise<FileResult> {
    return this.sender.file({ method: 'GET', path: path`/messages/${messageId}/progress` }, options);
  }
}
