import type { GivenConsent } from '../cards/consents.sql.ts';
import type { Db, Tx } from '../kit/db/database.ts';
import { sql } from '../kit/db/sql.ts';
import type { PassKey } from '../passes/pass-row.ts';

/** An enrolment that waits for its address to be proven. */
export interface JoinProof {
  readonly workspaceId: string;
  readonly proofId: string;
  readonly passId: string;
  readonly linkSecret: Buffer;
  readonly emailHash: Buffer;
  readonly person: ProvenPerson;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What was entered, and the language that it was entered in. */
export interface ProvenPerson {
  readonly name: string | null;
  readonly email: string;
  readonly phone: string | null;
  readonly locale: string | null;
  readonly fields: Readonly<Record<string, string>>;
  readonly consents: readonly GivenConsent[];
}

interface ProofKey {
  readonly workspaceId: string;
  readonly proofId: string;
}

export async function insertProof(tx: Tx, proof: JoinProof): Promise<void> {
  await tx
    .insertInto('joinProofs')
    .values({ ...proof, person: JSON.stringify(proof.person) })
    .execute();
}

export function findProof(db: Db, { workspaceId, proofId }: ProofKey): Promise<JoinProof | undefined> {
  return sql<JoinProof>`
    select * from join_proofs where proof_id = ${proofId} and workspace_id = ${workspaceId}
  `.first(db);
}

/** Whether it was still there: of several who delete it at once, one. */
export async function deleteProof(tx: Tx, { workspaceId, proofId }: ProofKey): Promise<boolean> {
  const { rows } = await sql`
    delete from join_proofs where proof_id = ${proofId} and workspace_id = ${workspaceId}
    returning 1
  `.execute(tx);
  return rows.length === 1;
}

/** Forgets what an address has entered for a pass and has not proven. */
export async function deleteProofsOf(
  tx: Tx,
  { workspaceId, passId }: PassKey,
  emailHash: Buffer,
): Promise<void> {
  await sql`
    delete from join_proofs
    where email_hash = ${emailHash} and workspace_id = ${workspaceId} and pass_id = ${passId}
  `.execute(tx);
}

/** Enrolments whose proof has expired, the oldest first. */
export function findExpiredProofs(db: Db, now: Date, limit: number): Promise<ProofKey[]> {
  return sql<ProofKey>`
    select workspace_id, proof_id from join_proofs where expires_at <= ${now} order by expires_at limit ${limit}
  `.rows(db);
}

export async function deleteProofs(tx: Tx, workspaceId: string, proofIds: readonly string[]): Promise<void> {
  await sql`
    delete from join_proofs where proof_id = any(${proofIds}::uuid[]) and workspace_id = ${workspaceId}
  `.execute(tx);
}
