import { z } from 'zod'
import { accessReasons } from '#domain/explanation.ts'
import { accessCalls } from '#contract/access-calls.ts'
import { endpoint } from '#contract/define.ts'
import { byPerson } from '#contract/fields.ts'
import { commaList } from '#contract/list.ts'
import { HeldPermission } from '#contract/staff.ts'

/** Why a person can or cannot see a record or run a command, in one sentence. */
export const Explanation = z.object({
  reason: z.enum(accessReasons),
  sentence: z.string(),
  /** The missing permissions; if any one would do, all of them. */
  missing: z.array(HeldPermission),
  /** The intent that would grant what is missing, if the caller may run it on this person. */
  gives: z.string().nullable(),
})
export type Explanation = z.infer<typeof Explanation>

const explaining = {
  params: byPerson,
  query: z.object({
    /** Path of a record in the API: `/employees/5`. */
    record: z
      .string()
      .max(200)
      .regex(/^\/[\w-]+(\/[\w-]+)+$/, 'This is not the path of a record.')
      .optional(),
    /** The actions: ids of intents, calls (`GET /employees`) and names of permissions, all of which are needed. */
    calls: commaList(z.string().max(200)).optional(),
  }),
  answer: Explanation,
} as const

export const explainAccountManager = endpoint({
  ...accessCalls.accountManager,
  ...explaining,
  summary: 'Why an account manager can or cannot see a record or carry out calls: what is missing, and what would give it',
  tag: 'Account managers',
})

export const explainAdmin = endpoint({
  ...accessCalls.admin,
  ...explaining,
  summary: 'Why an admin can or cannot see a record or carry out calls: what is missing, and what would give it',
  tag: 'Admins',
})
