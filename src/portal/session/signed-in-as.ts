import { z } from 'zod'
import type { Me } from '#contract/session.ts'
import { permissionIds, permissionNames } from '#domain/permissions.ts'
import { keep, kept } from '#portal/app/storage.ts'

/** What a sign-in tells of the person, for an API that has no call for who is signed in (D162). */
const SignedInAs = z.object({
  /** The id that the challenge named, else the e-mail. */
  id: z.string(),
  email: z.string(),
  /** When the session ends at the latest. */
  until: z.iso.datetime(),
})
type SignedInAs = z.infer<typeof SignedInAs>

const name = 'admin-portal.signed-in-as'
/** Rules 11, until the API ends the session by itself. */
const idleSeconds = 15 * 60
const warningSeconds = 2 * 60
const longestHours = 8

/** Keeps who signed in, for a reload. A session lasts as long as the API says, else as ours (rules 11). */
export const keepSignedInAs = ({ id, email, until }: Omit<SignedInAs, 'until'> & { until: string | undefined }): void =>
  keep(name, { id, email, until: until ?? new Date(Date.now() + longestHours * 3_600_000).toISOString() })

/** Forgets who signed in. */
export const forgetSignedInAs = (): void => keep(name, null)

/** Who signed in here at an API that does not tell. */
export const signedInAs = (): SignedInAs | null => kept(name, SignedInAs)

/** The business date as far as a browser knows it: today in New York. */
const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())

/** The person as far as the sign-in told. What they may is not known, so nothing is locked: the API refuses what they may not. */
export const meOf = ({ id, email, until }: SignedInAs): Me => ({
  person: { id, name: email, email, kind: 'ADMIN' },
  groups: [],
  permissions: permissionIds.map((each) => ({ id: each, short_name: permissionNames[each] })),
  grants: null,
  session: {
    idle_seconds: idleSeconds,
    warning_seconds: warningSeconds,
    expires_at: until,
  },
  business_date: today(),
  demo: false,
})
