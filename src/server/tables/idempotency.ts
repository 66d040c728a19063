import { type Generated, type RawBuilder, sql } from 'kysely'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'

/** A stored reply, kept for 24 hours so that a retry of the same call has no further effect (docs/rules/api.md). */
export interface IdempotencyKeyTable {
  person_id: string
  key: string
  /** The intent or endpoint, with its path. */
  request: string
  body_hash: string
  /** Null only inside the transaction that is still creating the reply. */
  status: number | null
  reply: string | null
  /** The record that the reply is about, as in the audit; null for a refusal and for a write without intent. */
  entity: string | null
  entity_id: string | null
  /** The permissions of the person at that time; null for rows older than this column. */
  rights: number[] | null
  /** The grants of the person at that time (`storedGrants`); null for rows older than this column. */
  reach: string[] | null
  created_at: Generated<Date>
}

declare module '#server/tables/database.ts' {
  interface Database {
    idempotency_keys: IdempotencyKeyTable
  }
}

export interface Claim {
  personId: string
  key: string
  request: string
  bodyHash: string
  /** The current permissions of the person. */
  rights: readonly number[]
  /** SQL expressions for the current grants, and for whether the grants stored with a reply are still open. */
  reach: RawBuilder<string[]>
  stillOpen: RawBuilder<boolean>
}

export interface StoredReply {
  kind: 'replay'
  status: number
  reply: string
  about: { entity: string; id: string } | null
  /** The permissions of the person when the reply was stored. */
  rights: readonly number[]
  /** Whether all companies that were open to the person at that time still are. */
  allOpen: boolean
}

export type ClaimResult = { kind: 'new' } | StoredReply | { kind: 'reused' }

/**
 * Claims a key for the rest of the transaction. A concurrent request with the same key is waited for: afterwards its reply
 * exists, or it was rolled back and the key is free. A key older than 24 hours is free.
 */
export async function claimKey(tx: Tx, claim: Claim): Promise<ClaimResult> {
  const { rows: claimed } = await sql`${prepared}
    insert into idempotency_keys as kept (person_id, key, request, body_hash)
    values (${claim.personId}, ${claim.key}, ${claim.request}, ${claim.bodyHash})
    on conflict (person_id, key) do update
      set request = excluded.request, body_hash = excluded.body_hash, status = null, reply = null, entity = null, entity_id = null, created_at = clock_timestamp()
      where kept.created_at < clock_timestamp() - interval '24 hours' or kept.status is null
    returning 1
  `.execute(tx)
  if (claimed.length > 0) return { kind: 'new' }
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['request', 'body_hash', 'status', 'reply', 'entity', 'entity_id', 'rights'])
    .select(sql<boolean>`reach is null or ${claim.stillOpen}`.as('all_open'))
    .where('person_id', '=', claim.personId)
    .where('key', '=', claim.key)
    .executeTakeFirstOrThrow()
  if (stored.request !== claim.request || stored.body_hash !== claim.bodyHash) return { kind: 'reused' }
  const about = stored.entity !== null && stored.entity_id !== null ? { entity: stored.entity, id: stored.entity_id } : null
  const { status, reply, rights, all_open } = stored
  return { kind: 'replay', status: status ?? 500, reply: reply ?? '', about, rights: rights ?? [], allOpen: all_open }
}

/** The statement that stores the reply of a claimed key, and the record that it is about. */
export const storeReplyStatement = (
  claim: Claim,
  status: number,
  reply: string,
  about: StoredReply['about'] = null,
): RawBuilder<unknown> =>
  sql`update idempotency_keys set status = ${status}, reply = ${reply}, entity = ${about?.entity ?? null}, entity_id = ${about?.id ?? null},
    rights = ${`{${claim.rights.join()}}`}::integer[], reach = ${claim.reach}
    where person_id = ${claim.personId} and key = ${claim.key}`

/** Deletes keys older than 24 hours, in batches; returns the number. */
export async function forgetOldKeys(tx: Tx): Promise<number> {
  const { rows } = await sql`
    delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < clock_timestamp() - interval '24 hours'
      limit 1000 for update skip locked
    ) returning 1
  `.execute(tx)
  return rows.length
}
