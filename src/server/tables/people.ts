import type { Generated } from 'kysely'

/** A staff member who signs in: an admin, or an account manager. */
export interface PeopleTable {
  id: Generated<string>
  kind: 'ADMIN' | 'ACCOUNT_MANAGER'
  /** Lower case, trimmed. */
  email: string
  name: string
  phone_number: string | null
  origin: Generated<'INGESTION' | 'ADMIN_PORTAL'>
  brand: string | null
  status: Generated<'NOT_INVITED' | 'INVITED' | 'WITHDRAWN' | 'ACTIVE' | 'DELETED'>
  password_hash: string | null
  /** Encrypted with the key of the application. */
  totp_secret: string | null
  totp_last_step: number | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface PersonGroupsTable {
  person_id: string
  group_id: number
}

export interface PersonPermissionsTable {
  person_id: string
  permission_id: number
}

/** A grant of a whole organization or of one employer; one of the two ids is set. */
export interface AccessGrantsTable {
  id: Generated<number>
  person_id: string
  organization_id: number | null
  employer_id: number | null
}

export interface SessionsTable {
  token_hash: string
  /** Public id of the session; the hash of its token is never shown. */
  id: Generated<string>
  person_id: string
  created_at: Date
  last_active_at: Date
  idle_seconds: number
  expires_at: Date
  ended_at: Date | null
  ended_reason: 'SIGNED_OUT' | 'ENDED_ELSEWHERE' | 'PASSWORD_CHANGED' | 'PERSON_REMOVED' | 'AUTHENTICATOR_RESET' | null
  address: string
  device_hash: string | null
  /** Browser and system, as text. */
  device: Generated<string>
}

export interface KnownDevicesTable {
  person_id: string
  device_hash: string
  last_seen_at: Date
  expires_at: Date
  failures: Generated<number>
}

export interface ChallengesTable {
  session_hash: string
  person_id: string
  step: 'MFA_SETUP' | 'SOFTWARE_TOKEN_MFA'
  pending_secret: string | null
  /** Whether the new authenticator replaces the present one. */
  replaces: Generated<boolean>
  expires_at: Date
  tries: Generated<number>
}

export interface RecoveryCodesTable {
  person_id: string
  code_hash: string
}

export interface AttemptLimitsTable {
  scope: string
  failures: number
  last_attempt_at: Date
  locked_until: Date | null
}

export interface GuessesTable {
  scope: string
  wrong_at: Date[]
  next_at: Date
  counted_at: Date
}

export interface UsedCodesTable {
  person_id: string
  step: number
}

export interface DeviceLinksTable {
  token_hash: string
  person_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface FailedSignInsTable {
  hour: Date
  who: string
  network: string
  passwords: Generated<number>
  codes: Generated<number>
  lockouts: Generated<number>
  last_at: Date
  last_email: string | null
}

export interface ResetCodesTable {
  id: Generated<string>
  email: string
  person_id: string | null
  code_hash: string
  requester: string
  network: string
  tries: Generated<number>
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

export interface InvitationsTable {
  token_hash: string
  person_id: string
  created_at: Date
  expires_at: Date
  used_at: Date | null
  withdrawn_at: Date | null
}

export interface ApplicationKeysTable {
  key: string
  application_name: Generated<string>
  created_at: Generated<Date>
  retired_at: Date | null
}

export interface OutboxTable {
  id: Generated<number>
  recipient: string
  subject: string
  body: string
  created_at: Date
  expires_at: Date
  sent_at: Date | null
  attempts: Generated<number>
  next_attempt_at: Date
}

declare module '#server/tables/database.ts' {
  interface Database {
    people: PeopleTable
    person_groups: PersonGroupsTable
    person_permissions: PersonPermissionsTable
    access_grants: AccessGrantsTable
    sessions: SessionsTable
    known_devices: KnownDevicesTable
    challenges: ChallengesTable
    attempt_limits: AttemptLimitsTable
    guesses: GuessesTable
    used_codes: UsedCodesTable
    recovery_codes: RecoveryCodesTable
    device_links: DeviceLinksTable
    failed_sign_ins: FailedSignInsTable
    reset_codes: ResetCodesTable
    invitations: InvitationsTable
    application_keys: ApplicationKeysTable
    outbox: OutboxTable
  }
}
