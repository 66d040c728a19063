import { z } from 'zod'
import { anybody, signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'

export const getCredentials = endpoint({
  method: 'GET',
  path: '/credentials',
  summary: 'The application key that later calls carry',
  tag: 'Authentication',
  answer: z.object({ application_key: z.string() }),
  needs: anybody,
})

const Named = z.object({ id: z.int(), name: z.string() })

/** The signed-in person, their permissions, and the lifetime of the session. */
export const Me = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string(), kind: z.enum(['ADMIN', 'ACCOUNT_MANAGER']) }),
  groups: z.array(z.object({ id: z.int(), name: z.string() })),
  permissions: z.array(z.object({ id: z.int(), short_name: z.string() })),
  /**
   * The companies that an account manager has access to: whole organizations, and single employers. Null for an admin, who sees
   * all.
   */
  grants: z.object({ organizations: z.array(Named), employers: z.array(Named) }).nullable(),
  session: z.object({
    idle_seconds: z.int(),
    warning_seconds: z.int(),
    expires_at: z.iso.datetime(),
  }),
  /** Today in the business time zone. */
  business_date: z.iso.date(),
  /** The business time zone, `America/New_York`. */
  time_zone: z.string().optional(),
  demo: z.boolean(),
  /** In the demo: whether its past pay periods, time entries and transactions are still being created. */
  past_pending: z.boolean().optional(),
})
export type Me = z.infer<typeof Me>

export const getMe = endpoint({
  method: 'GET',
  path: '/me',
  summary: 'The person signed in, with groups, permissions and grants',
  tag: 'Authentication',
  answer: Me,
  needs: signedIn,
  extension: true,
})

export const signOut = endpoint({
  method: 'POST',
  path: '/auth/logout',
  summary: 'End this session',
  tag: 'Authentication',
  answer: z.object({}),
  needs: signedIn,
  extension: true,
})
