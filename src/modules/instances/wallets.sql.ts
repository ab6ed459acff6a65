import type { Tx } from '../../kit/db/database.ts';
import { prepared } from '../../kit/db/sql.ts';

/** How many wallets of each kind took a card (positive) or gave it up (negative). */
export interface WalletChange {
  readonly apple?: number;
  readonly google?: number;
  readonly web?: number;
}

export interface WalletCounts {
  readonly passId: string;
  readonly apple: number;
  readonly google: number;
  readonly web: number;
  readonly installed: boolean;
  /** Whether any wallet held it before. */
  readonly wasInstalled: boolean;
}

/** Moves the wallet counts of a card that the caller holds. Whoever took it has used a link of ours, so that we reach it. */
export async function moveWalletCounts(
  tx: Tx,
  card: { workspaceId: string; instanceId: string },
  { apple = 0, google = 0, web = 0 }: WalletChange,
): Promise<WalletCounts | undefined> {
  const { rows } = await prepared<WalletCounts>`
    update instances i
    set apple_wallets = i.apple_wallets + ${apple}::int, google_wallets = i.google_wallets + ${google}::int,
      web_wallets = i.web_wallets + ${web}::int,
      installed = i.apple_wallets + i.google_wallets + i.web_wallets + ${apple + google + web}::int > 0,
      addressable = i.addressable or ${apple + google + web}::int > 0
    from instances before
    where i.workspace_id = ${card.workspaceId} and i.instance_id = ${card.instanceId}
      and before.workspace_id = i.workspace_id and before.instance_id = i.instance_id
    returning i.pass_id, i.apple_wallets as apple, i.google_wallets as google, i.web_wallets as web, i.installed,
      before.installed as was_installed
  `.execute(tx);
  return rows[0];
}
