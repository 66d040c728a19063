import { sql } from 'kysely'
import type { EmsConfiguration } from '#contract/ems-configurations.ts'
import type { Actor } from '#server/access/actor.ts'
import { openDebtor } from '#server/access/scope.ts'
import { effectiveRow } from '#server/tables/configurations.ts'
import { lockOwner, type Owner, ownerIn } from '#server/tables/owners.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * The effective EMS configuration of an owner that is open to the person; null for any other. With `lock` nobody else changes it
 * before the commit.
 */
export async function emsConfigurationOf(
  tx: Tx,
  actor: Actor,
  owner: Owner,
  { lock = false } = {},
): Promise<EmsConfiguration | null> {
  const open = await openDebtor(tx, actor, owner.type, owner.id)
  if (!open) return null
  if (lock) await lockOwner(tx, owner)
  const { rows } = await sql<EmsConfiguration>`
    select own.id, case when own.employer_id is null then 'ORGANIZATION' else 'EMPLOYER' end as level,
      ${open.organization_id}::bigint as organization_id, ${open.organization_name}::text as organization_name,
      ${open.employer_id}::bigint as employer_id, coalesce(own.link_type, 'NONE') as link_type, own.partner_external_url,
      coalesce(own.version, 0) as version
    from (select) one left join ${effectiveRow('ems_configurations', open.employer_id, open.organization_id)} own on true`.execute(
    tx,
  )
  return rows[0] as EmsConfiguration
}

/** Saves the values of an owner; an owner that inherited its organization's gets a row of its own. */
export async function saveEms(
  tx: Tx,
  now: EmsConfiguration,
  { link_type, partner_external_url }: Pick<EmsConfiguration, 'link_type' | 'partner_external_url'>,
): Promise<void> {
  const owner = ownerIn(now)
  const column = sql.ref(owner.type === 'EMPLOYER' ? 'employer_id' : 'organization_id')
  await sql`
    insert into ems_configurations (${column}, link_type, partner_external_url, version)
    values (${owner.id}, ${link_type}, ${partner_external_url}, ${now.version + 1})
    on conflict (${column}) where ${column} is not null do update
      set link_type = excluded.link_type, partner_external_url = excluded.partner_external_url,
        version = ems_configurations.version + 1`.execute(tx)
}
