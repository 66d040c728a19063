import { sql } from 'kysely'
import type { People } from '#server/seed/employees.ts'
import type { Tx } from '#server/tables/database.ts'

/**
 * Creates the linked accounts of the users in `made`: a bank account for nearly everybody, a second one for some, a card for half
 * of them.
 */
export async function seedLinkedAccounts(tx: Tx, { total, today }: Pick<People, 'total' | 'today'>): Promise<void> {
  await sql`
    insert into linked_accounts (user_id, kind, provider, bank_name, brand, last_four, status, failure, added_at, deleted_at,
      deleted_by, deleted_by_name, deletion_reason, deletion_notes, version)
    select n_user, kind, case kind when 'CARD' then 'Cardway' else 'Linkbridge' end,
      case kind when 'BANK_ACCOUNT' then (array['Harborline Bank', 'First Meridian Bank', 'Copper Valley Credit Union',
        'Northfield Savings', 'Lakeside Federal', 'Summit Community Bank'])[1 + floor(picked * 6)::int] end,
      case kind when 'CARD' then (array['Visa', 'Visa', 'Visa', 'Mastercard', 'Mastercard', 'Discover'])[1 + floor(picked * 6)::int] end,
      lpad(floor(pg_temp.chance(n * 4 + place, 71) * 10000)::int::text, 4, '0'), status,
      case when status = 'FAIL' then case kind when 'CARD' then 'The card was declined.' else 'The bank does not know the account.' end end,
      added, case when gone then left_at end, case when gone then staff_id::text end, case when gone then staff_name end,
      case when gone and kind = 'CARD' then (array['Lost', 'Stolen', 'Replaced by a new card'])[1 + floor(picked * 3)::int] end,
      case when gone and kind = 'CARD' then 'Asked for by the user on the phone.' end, case when gone then 2 else 1 end
    from (select id + ${total}::bigint as n_user, n, kind, place, joined, pg_temp.chance(n * 4 + place, 72) as picked,
        case when state < 0.88 then 'ACTIVE' when state < 0.91 then 'PENDING' when state < 0.95 then 'FAIL' else 'DELETED' end as status
      from made
      cross join (select 'BANK_ACCOUNT' as kind, 1 as place, 0.94::float8 as share union all select 'BANK_ACCOUNT', 2, 0.08
        union all select 'CARD', 3, 0.48) link
      cross join lateral (select pg_temp.chance(n * 4 + place, 73) as state) chosen
      where linked and pg_temp.chance(n * 4 + place, 70) < share) linked
    cross join lateral (select status = 'DELETED' as gone,
      date_trunc('milliseconds', joined + interval '9 hours' + picked * (${today}::date - joined) * interval '0.8 days') as added) life
    cross join lateral (select date_trunc('milliseconds',
      added + pg_temp.chance(n * 4 + place, 74) * (${today}::date - added)) as left_at) end_of
    left join (select id as staff_id, name as staff_name from people where email = 'priya.raman@example.com') staff on gone
    order by n, place`.execute(tx)
}

/** Creates the rewards of some linked employees; cents. */
export async function seedRewards(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into rewards (organization_id, employee_id, kind, amount, status, earned_date, granted_date, expiry_date)
    select organization_id, id, kind, amount, status, earned, case when status = 'GRANTED' then least(${today}::date, earned + 1 + floor(picked * 20)::int) end,
      earned + 90
    from (select organization_id, id, n, kind, amount, picked, earned, place, case when picked < 0.7 then 'GRANTED'
        when earned + 90 < ${today}::date then 'EXPIRED' else 'PENDING' end as status
      from made
      cross join (select 'SIGN_UP' as kind, 1 as place, 0.12::float8 as share, 1000 as amount union all select 'REFERRAL', 2, 0.05, 2500
        union all select 'FIRST_TRANSACTION', 3, 0.06, 500 union all select 'SURVEY', 4, 0.02, 300) reward
      cross join lateral (select pg_temp.chance(n * 4 + place, 75) as picked,
        ${today}::date - floor(least(${today}::date - joined, 200) * pg_temp.chance(n * 4 + place, 76))::int as earned) given
      where linked and pg_temp.chance(n * 4 + place, 77) < share) rewarded
    order by n, place`.execute(tx)
}
