import type { Generated, GeneratedAlways } from 'kysely'
import type { Stamped } from '#server/tables/database.ts'

/** The table `organizations`. */
export interface OrganizationTable extends Stamped {
  name: string
  lookup_name: string
  brand: string
  source_code: string
  status: 'ACTIVE' | 'INACTIVE'
  csm_id: number | null
  notes: string | null
  name_key: GeneratedAlways<string>
}

/** The table `employers`. */
export interface EmployerTable extends Stamped {
  organization_id: number
  internal_name: string
  external_name: string
  external_code: string
  lookup_name: string
  brand: string
  status: 'ACTIVE' | 'INACTIVE'
  direct_customer: Generated<boolean>
  go_live_date: string | null
  cancellation_date: string | null
  pilot_ee_count: number | null
  pilot_launch_date: string | null
  onboarded: Generated<boolean>
  name_key: GeneratedAlways<string>
}

/** The table `customer_success_managers`. */
export interface CustomerSuccessManagerTable {
  id: GeneratedAlways<number>
  name: string
  name_key: GeneratedAlways<string>
}

declare module '#server/tables/database.ts' {
  interface Database {
    organizations: OrganizationTable
    employers: EmployerTable
    customer_success_managers: CustomerSuccessManagerTable
  }
}
