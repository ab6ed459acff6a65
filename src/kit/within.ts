/**
 * The promise's outcome, or an Error when it takes too long. When the time is up, what has already arrived is still read
 * first: a pause of this process itself must not look like a slow answer.
 */
export function within<T>(patienceMs: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`no answer within ${patienceMs} ms`));
    const timer = setTimeout(() => setImmediate(tooLate), patienceMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
