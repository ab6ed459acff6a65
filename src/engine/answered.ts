import type { Answer } from '../kit/http/endpoint.ts';

/** What a caller is answered, before it is written. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** An answer under an idempotency key: each repeat gets the same bytes. */
export class Answered<A extends PlainAnswer> {
  readonly status: A['status'];
  /** The body as it was written the first time. */
  readonly json: string;
  readonly isReplay: boolean;

  constructor(status: A['status'], json: string, isReplay: boolean) {
    this.status = status;
    this.json = json;
    this.isReplay = isReplay;
  }

  /** The body as a value. */
  get body(): A['body'] {
    return JSON.parse(this.json);
  }

  toAnswer(): Answer {
    return {
      status: this.status,
      body: this.json,
      headers: this.isReplay ? { 'idempotent-replayed': 'true' } : {},
    };
  }
}
