import { randomUUID } from 'node:crypto';
import type { Json } from '../client.ts';
import { bodyOf, Caller } from './caller.ts';
import type { Outside } from './outside.ts';
import type { OwnService } from './own-service.ts';
import type { Target } from './target.ts';

/** A workspace that the suite has made, with a full-access key. */
export interface Workspace {
  readonly workspaceId: string;
  readonly by: Caller;
}

/** What the tests work with. They share workspaces as far as they can, and make them through the operator's API. */
export class World {
  /** A caller without a key. */
  readonly anyone: Caller;
  readonly operator: Caller;
  /** Paths as they stand, without a version in front. */
  readonly bare: Caller;
  readonly #target: Target;
  readonly #name: string;
  readonly #workspaceIds: string[] = [];
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(target: Target) {
    this.#target = target;
    this.#name = `Contract suite ${new Date().toISOString().slice(0, 19)}Z`;
    this.anyone = new Caller(`${target.url}/v1`, null);
    this.bare = new Caller(target.url, null);
    this.operator = this.anyone.as(target.operatorToken);
  }

  /** The host of images, and of stores; only tests that say that they need it get here. */
  get outside(): Outside {
    if (this.#target.outside === null)
      throw new Error('the test must say that it needs an image host or a store');
    return this.#target.outside;
  }

  get own(): OwnService {
    if (this.#target.own === null) throw new Error('the test must say that it needs its own service');
    return this.#target.own;
  }

  /** An address without a server. */
  get deadUrl(): string {
    return this.#target.outside === null ? 'https://nobody.invalid/logo.png' : 'https://127.0.0.1:1/logo.png';
  }

  /** What was made under this name before, or else now. */
  once<T>(name: string, make: () => Promise<T>): Promise<T> {
    const made = this.#made.get(name) ?? make();
    this.#made.set(name, made);
    return made as Promise<T>;
  }

  /** A workspace of its own, on the higher plan and with 100 credits by default. */
  async newWorkspace(plan: 'entry' | 'pro' = 'pro', credits = 100): Promise<Workspace> {
    const made = await this.operator.post('/operator/workspaces', { name: this.#name, plan, credits });
    const { workspaceId, apiKey } = bodyOf(made, 201);
    this.#workspaceIds.push(workspaceId);
    return { workspaceId, by: this.anyone.as(apiKey) };
  }

  /** The workspace that is used where any will do. */
  async shop(): Promise<Caller> {
    return (await this.once('shop', () => this.newWorkspace('pro', 10_000))).by;
  }

  /** Another account. */
  async stranger(): Promise<Caller> {
    return (await this.once('stranger', () => this.newWorkspace())).by;
  }

  async topUp(workspaceId: string, amount: number): Promise<void> {
    const body = { amount, externalRef: randomUUID() };
    bodyOf(await this.operator.post(`/operator/workspaces/${workspaceId}/credits`, body), 200);
  }

  /** A browser has the card installed from now on: a wallet that holds it. */
  async install(card: Json): Promise<void> {
    const { pathname } = new URL(card.links.add);
    const installation = { viewer: randomUUID(), installed: true };
    bodyOf(await this.bare.post(`${pathname}/card/installation`, installation), 204);
  }

  /** Suspends the workspaces that were made, so that their keys no longer open anything. */
  async leave(): Promise<void> {
    for (const workspaceId of this.#workspaceIds)
      await this.operator.patch(`/operator/workspaces/${workspaceId}`, { suspended: true });
  }
}
