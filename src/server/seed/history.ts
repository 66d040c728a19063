import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/**
 * Creates the history before the first day: how employees were added, pauses and resumptions, and events of their users and
 * cards. Every current pause has its event, and so has every deleted card and bank account. Ids follow the time.
 */
export async function seedHistory(tx: Tx, today: string): Promise<void> {
  await sql`
    insert into audit_events_before (at, actor_id, actor_name, intent, entity, entity_id, category, status, text, before, after, version, belongs_to)
    select at, actor_id, actor_name, intent, entity, entity_id::text, category, happened.status, text, before, after, happened.version,
      coalesce('employer:' || coalesce(of_employee.employer_id, of_user.employer_id), 'nobody')
    from (
      select created_at as at, 'eligibility-file' as actor_id, 'Eligibility file' as actor_name, 'employee.create' as intent,
        'employee' as entity, id as entity_id, 'user' as category, 'CREATE' as status, null as text, null::jsonb as before,
        jsonb_build_object('status', 'IMPORTED', 'user_id', null) as after, 1 as version
      from employees where pg_temp.chance(id, 60) < 0.35
      union all
      select paused_at, paused_by::text, paused_by_name, 'employee.pause', 'employee', id, 'user', 'Paused',
        concat_ws(E'\n', pause_reason, pause_details), jsonb_build_object('status', status_before_pause),
        jsonb_build_object('status', 'PAUSED', 'pause_reason', pause_reason, 'pause_details', pause_details), version
      from employees where status = 'PAUSED'
      union all
      select ${today}::date - 90 + gone * interval '20 days', person.id::text, person.name, 'employee.pause', 'employee',
        employees.id, 'user', 'Paused', 'Hours under review', jsonb_build_object('status', 'ACTIVE'),
        jsonb_build_object('status', 'PAUSED', 'pause_reason', 'Hours under review'), 1
      from employees cross join lateral (select pg_temp.chance(employees.id, 61) as gone, pg_temp.chance(employees.id, 62) as share) chances
        join people person on person.email = 'tom.berg@example.com'
      where employees.status = 'ACTIVE' and share < 0.06
      union all
      select ${today}::date - 60 + gone * interval '20 days', person.id::text, person.name, 'employee.resume', 'employee',
        employees.id, 'user', 'Resumed', 'Hours confirmed by the employer', jsonb_build_object('status', 'PAUSED', 'pause_reason', 'Hours under review'),
        jsonb_build_object('status', 'ACTIVE'), 1
      from employees cross join lateral (select pg_temp.chance(employees.id, 61) as gone, pg_temp.chance(employees.id, 62) as share) chances
        join people person on person.email = 'priya.raman@example.com'
      where employees.status = 'ACTIVE' and share < 0.06
      union all
      select ${today}::date - pg_temp.chance(user_id, 63) * interval '300 days', 'service', 'System', told.intent, 'user', user_id,
        told.category, told.status, null, told.before, told.after, 1
      from employees
      cross join lateral (select pg_temp.chance(user_id, 64) as share) chances
      join (values
        (0.00, 0.06, 'user.kyc', 'user', 'KYC Details Changed', '{"kyc_status": "UNDER_REVIEW"}'::jsonb, '{"kyc_status": "APPROVED"}'::jsonb),
        (0.06, 0.10, 'user.clear-phone', 'user', 'Phone Removal', '{"phone_number": "(212) 555-0100"}', '{"phone_number": null}'),
        (0.10, 0.15, 'user.address', 'user', 'address_changed', '{"city": "Springfield"}', '{"city": "Riverton"}')
      ) as told(low, high, intent, category, status, before, after) on share >= low and share < high
      where user_id is not null
      union all
      select added_at, 'service', 'System', 'card.link', 'user', user_id, 'card', 'CREATE', concat_ws(' ', brand, last_four), null,
        '{"card_status": "ACTIVE"}', 1
      from linked_accounts where kind = 'CARD' and status <> 'FAIL' and added_at > ${today}::date - 200
      union all
      select deleted_at, deleted_by, deleted_by_name, case kind when 'CARD' then 'card.delete' else 'bank-account.delete' end, 'user', user_id,
        case kind when 'CARD' then 'card' else 'user' end, case kind when 'CARD' then 'DEACTIVATE' else 'Bank account deleted' end,
        concat_ws(' ', coalesce(brand, bank_name), last_four) || coalesce(E'\n' || deletion_reason || E'\n' || deletion_notes, ''),
        jsonb_build_object(lower(kind) || '_status', 'ACTIVE'), jsonb_build_object(lower(kind) || '_status', 'DELETED'), version
      from linked_accounts where status = 'DELETED'
      union all
      select employees.updated_at, person.id::text, person.name, 'employee.terminate-off-cycle', 'employee', employees.id, 'user', 'Off-cycle paid', null,
        '{"status": "TERMINATED"}', '{"status": "OFFCYCLE_PAID"}', employees.version
      from employees join people person on person.email = 'priya.raman@example.com'
      where employees.status = 'OFFCYCLE_PAID'
      union all
      select ${today}::date - pg_temp.chance(employees.id, 65) * interval '80 days', person.id::text, person.name, 'employee.additional-transaction',
        'employee', employees.id, 'user', 'Additional Transaction', 'One more request in this period', null, null, 1
      from employees join people person on person.email = 'tom.berg@example.com'
      where employees.status = 'ACTIVE' and pg_temp.chance(employees.id, 66) < 0.04
    ) happened
    left join employees of_employee on entity = 'employee' and of_employee.id = entity_id
    left join employees of_user on entity = 'user' and of_user.user_id = entity_id
    order by at, entity_id`.execute(tx)
}
