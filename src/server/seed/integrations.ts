import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** Creates integrations: by mail where there are addresses for it, else by SFTP where there are users, else by an API for a few. */
export async function seedIntegrations(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into integrations (organization_id, employer_id, type, import_type, vendor, product, url, sftp_type, incremental,
      terminated_values, created_at, updated_at, created_by, created_by_name)
    select organization_id, null, type, import_type, vendor, case when type = 'API' then product end,
      case when type = 'API' then 'https://api.' || lower(vendor) || '.example/v2' end, case when type = 'SFTP' then 'INTERNAL' end,
      incremental, case when incremental then array['T', 'Terminated'] else '{}'::text[] end, made, made, staff.id::text, staff.name
    from (
      select organizations.id as organization_id, import_type,
        case when exists (select from data_emails mail where mail.organization_id = organizations.id and mail.employer_id is null
            and mail.type = import_type) then 'EMAIL'
          when exists (select from sftp_users where sftp_users.organization_id = organizations.id) then 'SFTP'
          when pg_temp.chance(organizations.id, 260) < 0.5 then 'API' else 'CSV' end as type,
        case when pg_temp.chance(organizations.id, 261) < 0.6 then 'PAYHARBOR' else 'SHIFTWELL' end as vendor,
        import_type = 'ELIGIBLE_EMPLOYEE' and pg_temp.chance(organizations.id, 262) < 0.3 as incremental,
        ${today}::date - (5 + floor(pg_temp.chance(organizations.id, 263) * 300))::int * interval '1 day' + interval '17 hours' as made
      from organizations cross join (values ('ELIGIBLE_EMPLOYEE'), ('TIMEKEEPING')) kind (import_type)
      where pg_temp.chance(organizations.id, 264) < 0.8 or organizations.id = (select min(id) from organizations)
    ) made
    cross join lateral (select case vendor when 'PAYHARBOR' then 'PAYHARBOR_WORKFORCE' else 'SHIFTWELL_TIME' end as product) chosen
    cross join (select id, name from people where email = 'priya.raman@example.com') staff
    order by organization_id, import_type`.execute(tx)
}
