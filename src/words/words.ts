/** What is given out, as pages name it. */
export type Kind = 'card' | 'coupon' | 'ticket' | 'giftCard';

type OfKind = Readonly<Record<Kind, string>>;

/**
 * What pages and mails say in their own name, in one language. `{shop}`, `{title}`, `{name}` and `{email}` are filled in.
 */
export interface Words {
  /** The page on which people enrol, its mail and its poster. */
  readonly join: {
    readonly get: OfKind;
    readonly lead: string;
    readonly leadBare: string;
    readonly name: string;
    readonly email: string;
    readonly phone: string;
    readonly optional: string;
    readonly wait: string;
    readonly privacy: string;
    readonly sentTitle: string;
    readonly sentText: string;
    readonly sentHint: string;
    readonly proveTitle: string;
    readonly proveText: string;
    readonly prove: string;
    readonly subject: string;
    readonly hello: string;
    readonly helloNobody: string;
    readonly asked: string;
    readonly notYou: string;
    readonly once: string;
    readonly scan: string;
    readonly ways: string;
  };
}
