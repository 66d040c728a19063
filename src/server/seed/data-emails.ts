import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Creates the addresses that files come from, for half of the organizations and for some employers. */
export async function seedDataEmails(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into data_emails (organization_id, employer_id, type, email, created_at, created_by, created_by_name)
    select organization_id, employer_id, type, lower(local || '@' || code || '.example'),
      ${today}::date - (20 + floor(pg_temp.chance(seed, 241) * 280))::int * interval '1 day' + interval '15 hours', staff.id::text, staff.name
    from (
      select organizations.id as organization_id, null::bigint as employer_id, organizations.id as seed,
        regexp_replace(lookup_name, '[^a-z0-9]', '', 'g') as code from organizations where pg_temp.chance(id, 240) < 0.5
      union all
      select organization_id, id, id, regexp_replace(lookup_name, '[^a-z0-9]', '', 'g') from employers
        where status = 'ACTIVE' and pg_temp.chance(id, 240) < 0.08
    ) owner
    cross join (values ('ELIGIBLE_EMPLOYEE', 'hr-files'), ('TIMEKEEPING', 'timeclock')) kind (type, local)
    cross join (select id, name from people where email = 'priya.raman@example.com') staff
    where kind.type = 'ELIGIBLE_EMPLOYEE' or pg_temp.chance(seed, 242) < 0.7
    order by organization_id, seed, type`.execute(tx)
  await sql`
    insert into communications (organization_id, employer_id, kind, recipient, subject, body, queued_at, sent_at)
    select e.organization_id, e.employer_id, 'DATA_EMAIL_ADDED', email, 'You can send us files of ' || company,
      'From now on we take ' || case type when 'TIMEKEEPING' then 'timekeeping' else 'eligible employee' end || ' files of ' || company
        || ' that you mail to us from this address.', e.created_at, case when pg_temp.chance(e.id, 243) < 0.93 then e.created_at + interval '4 seconds' end
    from data_emails e left join employers employer on employer.id = e.employer_id
      join organizations organization on organization.id = e.organization_id
    cross join lateral (select coalesce(employer.internal_name, organization.name) as company) named
    order by e.created_at, e.id`.execute(tx)
}
