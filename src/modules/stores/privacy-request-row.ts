/** What a platform may demand for the sake of a customer's privacy. */
export type PrivacyTopic = 'data_request' | 'customer_redact' | 'shop_redact';

/** A demand, and how far it was obeyed. */
export interface PrivacyRequestRow {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly storeId: string;
  readonly topic: PrivacyTopic;
  readonly subject: PrivacySubject;
  /** The step that is next, where it takes several; null: the first. */
  readonly cursor: string | null;
  /** Cards that it has found. */
  readonly instanceIds: readonly string[];
  readonly receivedAt: Date;
  readonly dueAt: Date | null;
  readonly doneAt: Date | null;
}

/** Whom a demand is about, without a word of the person. */
export interface PrivacySubject {
  /** The store's number of the customer. */
  readonly customerId: string | null;
  /** Keyed hash of the e-mail address, as hex. */
  readonly emailHash: string | null;
  /** The store's numbers of the orders. */
  readonly orderIds: readonly string[];
}
