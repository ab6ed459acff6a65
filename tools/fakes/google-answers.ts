/** An answer of the simulated Google before it is sent. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Google's error body. Reasons and messages are those of its guide "Error codes and exceptions" and of reports. */
export function errorAnswer(code: number, reason: string, message: string): Answer {
  const errors = [{ message, domain: 'walletobjects', reason }];
  return { status: code, body: { error: { code, message, errors } } };
}

/** The error body of OAuth, RFC 6749 §5.2. */
export function oauthError(error: string, description: string): Answer {
  return { status: 400, body: { error, error_description: description } };
}
