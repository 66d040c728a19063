import type { AuditEventTable } from '#server/tables/audit.ts'
import type { IdempotencyKeyTable } from '#server/tables/idempotency.ts'
import type { SettingTable } from '#server/tables/setting.ts'
import type { PeopleTables } from '#server/tables/people.ts'

/** The tables of the database, by name; each noun's module declares its own. */
export interface Database extends PeopleTables {
  settings: SettingTable
  audit_events: AuditEventTable
  idempotency_keys: IdempotencyKeyTable
}
