import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

const columns = {
  EMPLOYEE: [
    ['Employee Number', 'employee_code'],
    ['First Name', 'first_name'],
    ['Last Name', 'last_name'],
    ['Email', 'email'],
    ['Status', 'status'],
    ['Department', 'department_code'],
    ['Hire Date', 'hire_date'],
    ['Rate', 'rate'],
  ],
  TIMEKEEPING: [
    ['Employee Number', 'employee_code'],
    ['Work Date', 'work_date'],
    ['Hours', 'work_hours'],
    ['Gross', 'earned_wage'],
  ],
} as const

const columnsOf = (kind: keyof typeof columns): string =>
  JSON.stringify(
    columns[kind].map(([header, field]) => ({ header, field, static: false, static_value: null, day_adjustment: 0 })),
  )

/** Creates the mappings for files of the demo's employers: of employees for nearly all, of time for half. */
export const seedMappings = (tx: Tx): Promise<unknown> =>
  sql`
    insert into mappings (kind, employer_id, file_name, file_key, columns)
    select kind, id, lookup_name || ending, lookup_name,
      case kind when 'EMPLOYEE' then ${columnsOf('EMPLOYEE')}::jsonb else ${columnsOf('TIMEKEEPING')}::jsonb end
    from employers cross join (values ('EMPLOYEE', '_ee.csv', 0.9), ('TIMEKEEPING', '_tk.csv', 0.5)) kinds (kind, ending, share)
    where onboarded and pg_temp.chance(id, 301) < share order by id, kind`.execute(tx)
