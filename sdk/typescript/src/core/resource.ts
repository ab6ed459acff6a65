import type { Sender } from './sender.ts';

/** Operations of one kind of thing. */
export class Resource {
  protected readonly sender: Sender;

  constructor(sender: Sender) {
    this.sender = sender;
  }
}
