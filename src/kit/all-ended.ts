/** `Promise.all` that raises the first failure only when all have ended: nothing goes on behind its caller's back. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
