import { sql } from 'kysely'
import type { SeededEmployer } from '#server/seed/companies.ts'
import { departments, firstNames, lastNames, places, states } from '#server/seed/names.ts'
import type { Tx } from '#server/tables/database.ts'

export interface People {
  employers: readonly SeededEmployer[]
  /** The first free id. */
  firstId: number
  total: number
  today: string
}

/** Range of employee numbers, from 1; both ends included. */
export type Part = readonly [from: number, to: number]

/** Creates the empty table `made`: one row per future employee, with the data that users and employees share. */
export const createMade = async (tx: Tx, people: People): Promise<void> =>
  void (await sql`create unlogged table made as ${madeOf(people, [1, 0])}`.execute(tx))

/** Fills `made` with a range of employees. */
export const fillMade = async (tx: Tx, people: People, part: Part): Promise<void> =>
  void (await sql`insert into made ${madeOf(people, part)}`.execute(tx))

const madeOf = ({ employers, firstId, today }: People, [from, to]: Part) => sql`
    with employer as (
      select id, organization_id, brand, letters, active, sum(size) over (order by id) - size as before, size,
        0.20 + 0.15 * pg_temp.chance(id, 1) as linked_share, pg_temp.chance(id, 2) < 0.15 as consumer
      from unnest(
        ${employers.map((each) => each.id)}::bigint[], ${employers.map((each) => each.organizationId)}::bigint[],
        ${employers.map((each) => each.brand)}::text[],
        ${employers.map((each) => each.letters)}::text[], ${employers.map((each) => each.active)}::boolean[],
        ${employers.map((each) => each.employees)}::bigint[]
      ) as given(id, organization_id, brand, letters, active, size)
    )
    , person as materialized (select n, ${firstId}::bigint + n - 1 as id, employer.id as employer_id, employer.organization_id, employer.brand, employer.letters, employer.active,
      employer.consumer, pg_temp.chance(n, 10) < employer.linked_share as linked,
      (${firstNames}::text[])[1 + floor(pg_temp.chance(n, 11) * ${firstNames.length})::int] as first_name,
      replace((${lastNames}::text[])[1 + floor(pg_temp.chance(n, 12) * ${lastNames.length})::int], '-', ' ') as last_name,
      '(' || (array[201, 212, 303, 312, 404, 415, 503, 512, 602, 617, 702, 713, 786, 801, 919])[1 + floor(pg_temp.chance(n, 13) * 15)::int]
        || ') 555-01' || lpad(floor(pg_temp.chance(n, 14) * 100)::int::text, 2, '0') as phone_number,
      pg_temp.chance(n, 15) as status_chance,
      ${today}::date - (30 + floor(power(pg_temp.chance(n, 16), 2) * 4400))::int as joined
    from employer cross join lateral generate_series(greatest(before + 1, ${from}::bigint)::bigint, least(before + size, ${to}::bigint)::bigint) as n)
    select person.*, life.*,
      case when known then case when salaried then (32000 + floor(rate_chance * 600) * 100)::bigint * 100
        else 1500 + 5 * floor(rate_chance * 600)::bigint end end as rate,
      case when linked or pg_temp.chance(n, 17) < 0.92 then replace(fold(first_name), ' ', '.') || '.' || replace(fold(last_name), ' ', '')
        || n || '@example.' || (array['com', 'org', 'net'])[1 + n % 3] end as email
    from person
    cross join lateral (select
      case when linked then case
          when status_chance < 0.86 then 'ACTIVE' when status_chance < 0.915 then 'PAUSED'
          when status_chance < 0.955 then 'INELIGIBLE' else 'TERMINATED' end
        else case
          when status_chance < 0.55 then 'ELIGIBLE' when status_chance < 0.80 then 'IMPORTED' when status_chance < 0.83 then 'CREATED'
          when status_chance < 0.90 then 'INELIGIBLE' when status_chance < 0.95 then 'TERMINATED' when status_chance < 0.96 then 'PAUSED'
          when status_chance < 0.975 then 'DUPLICATED' when status_chance < 0.985 then 'OFFCYCLE_PAID'
          when status_chance < 0.995 then 'DELETED' else 'UNKNOWN' end end as status,
      pg_temp.chance(n, 35) < 0.22 as salaried, pg_temp.chance(n, 36) < 0.97 as known,
      (array['WEEKLY', 'WEEKLY', 'WEEKLY', 'BI_WEEKLY', 'BI_WEEKLY', 'BI_WEEKLY', 'BI_WEEKLY', 'SEMI_MONTHLY', 'SEMI_MONTHLY', 'MONTHLY'])
        [1 + floor(pg_temp.chance(employer_id * 2 + n % 2, 41) * 10)::int] as frequency,
      date_trunc('milliseconds', ${today}::date - pg_temp.chance(n, 42) * interval '29 days') as paused,
      pg_temp.chance(n, 37) as rate_chance
    ) life`

/**
 * Creates employees from `made`, with the identifiers that `billed_employers` use in files; `pausers` are the ids of staff who
 * paused some.
 */
export async function seedEmployees(
  tx: Tx,
  { pausers, today, part: [from, to] }: { pausers: readonly string[]; today: string; part: Part },
): Promise<void> {
  await sql`
    insert into employees (id, organization_id, employer_id, user_id, first_name, last_name, employee_code, external_tk_id, email, phone_number,
      department_code, status, flow, brand, hire_date, pay_type, pay_frequency, next_pay_date, rate_amount, status_before_pause,
      paused_at, paused_by, paused_by_name, pause_reason, pause_details, unrecovered_amount, available_amount,
      employer_key, created_at, updated_at,
      version, birth_date, address, city, state, zip, country, business_unit_code, location_code, pay_code, payroll_code)
    select made.id, made.organization_id, employer_id, case when linked then made.id + (select count(*) from made) end, first_name, last_name,
      letters || '-' || (10000 + (n * 7919) % 990000), -- a prime: neighbours have unlike codes
      -- Whose files go by the external TK id gave one to everybody.
      case when identifier = 'EXTERNAL_TK_ID' or pg_temp.chance(n, 30) < 0.8 then lpad((n % 100000)::text, 5, '0') || '-' || chr(65 + (n % 26)::int) end,
      made.email, case when linked or pg_temp.chance(n, 31) < 0.85 then made.phone_number end,
      case when pg_temp.chance(n, 32) < 0.95 then (${departments}::text[])[1 + floor(pg_temp.chance(n, 33) * ${departments.length})::int] end,
      status, case when consumer then 'CONSUMER' else 'PAYROLL' end, made.brand,
      case when pg_temp.chance(n, 34) < 0.97 then joined end,
      case when known then case when salaried then 'SALARY' else 'HOURLY' end end,
      case when known then frequency end,
      case when known and status not in ('TERMINATED', 'DELETED', 'OFFCYCLE_PAID') then case frequency
        when 'WEEKLY' then friday
        when 'BI_WEEKLY' then friday + 7 * (employer_id % 2)::int
        when 'SEMI_MONTHLY' then least(case when day <= ${today}::date then month_end else day end, month_end)
        else month_end end end,
      rate,
      case when status = 'PAUSED' then case when linked then 'ACTIVE' else 'ELIGIBLE' end end,
      case when status = 'PAUSED' then paused end,
      case when status = 'PAUSED' then pauser.id end,
      case when status = 'PAUSED' then pauser.name end,
      case when status = 'PAUSED' then (array['Fraud review', 'Employer request', 'Wrong bank details', 'Hours under review', 'Leave of absence'])[1 + (n % 5)::int] end,
      case when status = 'PAUSED' and n % 3 = 0 then 'Asked for by the employer; look again at the end of the month.' end,
      case when (linked or status in ('TERMINATED', 'INELIGIBLE')) and pg_temp.chance(n, 38) < 0.015
        then 500 + floor(pg_temp.chance(n, 39) * 30000)::bigint else 0 end,
      balances.available_amount, employer.name_key, joined + interval '8 hours',
      case when status = 'PAUSED' then paused else greatest(joined, ${today}::date - 200) + pg_temp.chance(n, 40) * interval '28 days' end,
      case when status = 'PAUSED' then 2 else 1 end,
      case when detailed then joined - (6700 + 137 * (n % 97))::int end,
      case when detailed then 1 + n * 31 % 4999 || ' ' || (${places}::text[])[1 + n % ${places.length}]
        || (array[' Street', ' Avenue', ' Road', ' Lane', ' Court'])[1 + n % 5] end,
      case when detailed then (${places}::text[])[1 + town % ${places.length}] || (array['ville', ' Falls', ' Springs', 'ton'])[1 + town % 4] end,
      case when detailed then (${states}::text[])[1 + town % ${states.length}] end,
      case when detailed then lpad((10000 + town * 37 % 89999)::text, 5, '0') end,
      case when detailed then 'USA' end,
      case when coded then 'BU-' || 1 + n % 4 end, case when coded then 'LOC-' || 100 + employer_id % 37 end,
      case when coded then case when salaried then 'SAL' else 'REG' end end, case when coded then 'PR-' || 1 + employer_id % 9 end
    from made
    join (select id as employer_id, name_key from employers) employer using (employer_id)
    join (select employer_id, identifier from billed_employers) billed using (employer_id)
    join (select id, name, number from people join unnest(${pausers}::uuid[]) with ordinality as staff(person_id, number) on person_id = id) pauser
      on pauser.number = 1 + n % ${pausers.length}::bigint
    left join work_period_balances balances on balances.employee_id = made.id
    -- A few employers send codes, and personal details of some of their people.
    cross join lateral (select made.employer_id % 9 = 0 and made.n % 10 <> 7 as detailed, made.employer_id % 9 = 0 as coded, (made.n * 7919 % 400)::int as town) sent
    cross join (select
      ${today}::date + (11 - extract(dow from ${today}::date)::int) % 7 + 1 as friday,
      date_trunc('month', ${today}::date)::date + 14 as day,
      (date_trunc('month', ${today}::date) + interval '1 month - 1 day')::date as month_end
    ) calendar
    where n between ${from}::bigint and ${to}::bigint
    order by n`.execute(tx)
}
