import { sql } from 'kysely'
import type { People } from '#server/seed/employees.ts'
import { places, states } from '#server/seed/names.ts'
import type { Tx } from '#server/tables/database.ts'

/** Share of employees without a linked user who have an account of the service all the same: on their own, or from before. */
const unlinkedShare = 0.02

/**
 * Creates the users of linked employees in `made`, and some without an employee; only some of these are deleted. An unconfirmed
 * e-mail differs from the current one.
 */
export async function seedUsers(tx: Tx, { total, today }: People): Promise<void> {
  await sql`
    insert into users (id, brand, first_name, last_name, email, phone_number, status, kyc_status, force_password_change,
      last_sign_in_at, employer_id, pending_email, status_before_email, created_at, updated_at)
    select id + ${total}::bigint, brand, first_name, last_name, coalesce(email, 'n' || n || '@example.com'), phone_number,
      life.status,
      case when pg_temp.chance(n, 21) < 0.9 then 'APPROVED' when pg_temp.chance(n, 21) < 0.94 then 'UNDER_REVIEW'
        when pg_temp.chance(n, 21) < 0.97 then 'DENIED' end,
      pg_temp.chance(n, 22) < 0.02,
      case when pg_temp.chance(n, 23) < 0.93 then ${today}::date - pg_temp.chance(n, 24) * interval '40 days' end,
      case when linked then employer_id end,
      case when life.status = 'PENDING_EMAIL_UPDATE' then 'new.' || coalesce(email, 'n' || n || '@example.com') end,
      case when life.status = 'PENDING_EMAIL_UPDATE' then 'ACTIVE' end,
      joined + interval '9 hours', ${today}::date - pg_temp.chance(n, 25) * interval '300 days'
    from made cross join lateral (select case
      when not linked and pg_temp.chance(n, 20) < 0.25 then 'DELETED' when pg_temp.chance(n, 20) < 0.95 then 'ACTIVE'
      when pg_temp.chance(n, 20) < 0.98 then 'CONFIRMATION_PENDING' else 'PENDING_EMAIL_UPDATE' end as status) life
    where linked or pg_temp.chance(n, 70) < ${unlinkedShare} order by n`.execute(tx)
}

/** Creates the identity checks of the users with a review status; some require documents. */
export async function seedIdentityChecks(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into identity_checks (user_id, document_types, submitted_at, reviewed_at, reviewed_by_name, reason)
    select id, case when share < 0.5 then '{}'::text[] when share < 0.75 then '{LICENSE}' when share < 0.9 then '{ID_CARD}'
        else '{LICENSE,ID_CARD}' end,
      created_at, case when kyc_status <> 'UNDER_REVIEW' then least(created_at + share * interval '2 days', ${today}::timestamptz) end,
      case kyc_status when 'APPROVED' then 'System' when 'DENIED' then 'Tom Berg' end,
      case when kyc_status = 'DENIED' then (array['The photo is blurred.', 'The document has expired.', 'The name differs.'])[1 + id % 3] end
    from users cross join lateral (select pg_temp.chance(users.id, 71) as share) chances
    where kyc_status is not null order by id`.execute(tx)
}

/** Creates the addresses of most users, with fictitious streets and towns. */
export async function seedAddresses(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into current_addresses (user_id, line_1, line_2, city, state, postal_code, since)
    select id, 1 + floor(pg_temp.chance(id, 73) * 4999)::int || ' ' || name[1 + floor(pg_temp.chance(id, 74) * ${places.length})::int]
        || (array[' Street', ' Avenue', ' Road', ' Lane', ' Court'])[1 + id % 5],
      case when id % 4 = 0 then 'Apt ' || 1 + id % 60 end,
      name[1 + town % ${places.length}] || (array['ville', ' Falls', ' Springs', 'ton'])[1 + town % 4],
      (${states}::text[])[1 + town % ${states.length}], lpad((10000 + town * 37 % 89999)::text, 5, '0'),
      greatest(created_at::date, ${today}::date - 900)
    from (select ${places}::text[] as name) words
    cross join users cross join lateral (select floor(pg_temp.chance(users.id, 75) * 400)::int as town) chances
    where pg_temp.chance(users.id, 72) < 0.96 order by id`.execute(tx)
}
