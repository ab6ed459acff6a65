import { List } from '../../sdk/typescript/src/core/pages.ts';
import { masked } from './calls.ts';

/** How the call that is being begun reads in TypeScript; null between calls. */
let current: string | null = null;

/** What was called by name, as long as the call has not waited for anything. */
export function currentCall(): string | null {
  return current;
}

/** The same client, whose calls are known by name while they begin. */
export function withNames<T extends object>(client: T): T {
  for (const [resource, methods] of Object.entries(client))
    Object.assign(client, { [resource]: methodsWithNames(resource, methods as object) });
  return client;
}

function methodsWithNames<T extends object>(resource: string, methods: T): T {
  return new Proxy(methods, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || typeof name !== 'string') return method;
      return (...args: readonly unknown[]) => {
        const code = `punchcard.${resource}.${name}(${args.filter(isMeant).map(written).join(', ')})`;
        const result: unknown = during(code, () => method.apply(target, args));
        if (!(result instanceof List)) return result;
        // Nothing is asked for before a page is read.
        const page = result.page.bind(result);
        return Object.assign(result, { page: (cursor?: string) => during(code, () => page(cursor)) });
      };
    },
  });
}

function during<R>(code: string, act: () => R): R {
  current = code;
  try {
    return act();
  } finally {
    current = null;
  }
}

/** Options of a page's own call, such as what ends it, say nothing to others. */
function isMeant(arg: unknown): boolean {
  if (arg === undefined) return false;
  return !(typeof arg === 'object' && arg !== null && ('signal' in arg || Object.keys(arg).length === 0));
}

function written(arg: unknown): string {
  if (arg instanceof Blob || arg instanceof Uint8Array) return 'file';
  return JSON.stringify(masked(arg), null, 2).replace(/^(\s*)"(\w+)":/gm, '$1$2:');
}
