/** What a card is found by. */
export interface CardKey {
  readonly workspaceId: string;
  readonly instanceId: string;
}
