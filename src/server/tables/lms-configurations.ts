import { sql } from 'kysely'
import type { LmsConfiguration } from '#contract/configurations.ts'
import type { Actor } from '#server/access/actor.ts'
import { openDebtor } from '#server/access/scope.ts'
import { effectiveRow, ownerOf, termsOf } from '#server/tables/configurations.ts'
import { lockOwner, type Owner } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * The LMS configuration of an owner that is open to the person; null for any other. With `lock` nobody else changes it before the
 * commit.
 */
export async function lmsConfigurationOf(
  tx: Tx,
  actor: Actor,
  owner: Owner,
  { lock = false } = {},
): Promise<LmsConfiguration | null> {
  const open = await openDebtor(tx, actor, owner.type, owner.id)
  if (!open) return null
  if (lock) await lockOwner(tx, owner)
  const { rows } = await sql<LmsConfiguration>`
    select lms.id, case when lms.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as level,
      ${open.organization_id}::bigint as organization_id, ${open.employer_id}::bigint as employer_id,
      coalesce(lms.payment_method, 'SELF_PAY') as payment_method, ${termsOf}, coalesce(lms.version, 0) as version
    from (select) one left join ${effectiveRow('lms_configurations', open.employer_id, open.organization_id)} lms on true`.execute(
    tx,
  )
  return rows[0] as LmsConfiguration
}

/** Changes an LMS configuration; omitted values stay. */
export async function updateLmsConfiguration(
  tx: Tx,
  id: number | null,
  set: Partial<Pick<LmsConfiguration, 'payment_method' | 'split_invoices' | 'show_amount_per_department_code'>>,
): Promise<void> {
  await sql`
    update lms_configurations set payment_method = coalesce(${set.payment_method ?? null}, payment_method),
      split_invoices = coalesce(${set.split_invoices ?? null}, split_invoices),
      show_amount_per_department_code = coalesce(${set.show_amount_per_department_code ?? null}, show_amount_per_department_code),
      version = version + 1
    where id = ${id}`.execute(tx)
}

/** The owner of the LMS configuration with this id; null if there is none. */
export const lmsOwnerOf = (tx: Tx, id: number): Promise<Owner | null> => ownerOf(tx, id, 'lms_configurations')
