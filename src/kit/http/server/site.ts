import type { Answer, Input } from '../endpoints/endpoint.ts';

/** What a browser asks for at a path that no route has. */
export interface SiteRequest {
  readonly method: 'GET' | 'HEAD';
  /** The path as the browser sent it, not decoded. */
  readonly path: string;
  /** Without the question mark; empty where there is none. */
  readonly query: string;
  readonly headers: Input['headers'];
}

/** Pages and files besides the API; null where there is none at a path. */
export type Site = (request: SiteRequest) => Promise<Answer | null>;
