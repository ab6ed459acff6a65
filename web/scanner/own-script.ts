interface Policy {
  createScriptURL(path: string): string;
}

interface Policies {
  createPolicy(name: string, rules: Policy): Policy;
}

const rules: Policy = {
  createScriptURL(path) {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) throw new TypeError(`${path} is not a script of ours`);
    return url.href;
  },
};

/** The page's policy lets this one alone make addresses of workers (`trusted-types own-script`). Not every browser knows it. */
const policy =
  (globalThis as { readonly trustedTypes?: Policies }).trustedTypes?.createPolicy('own-script', rules) ??
  rules;

/** The address of a worker of our own, for `new Worker` and `serviceWorker.register`. */
export function ownScript(path: string): string {
  return policy.createScriptURL(path);
}
