import { z } from 'zod'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

/** The signed-in user as returned by the sign-in, for an API without a call for it (docs/decisions/2026-11-30-another-api.md). */
const SignedInAs = z.object({
  /** The id from the challenge, else the e-mail. */
  id: z.string(),
  email: z.string(),
  /** Latest end of the session. */
  until: z.iso.datetime(),
})
export type SignedInAs = z.infer<typeof SignedInAs>

const name = 'admin-portal.signed-in-as'
/** As in docs/rules/sign-in.md, unless the API ends the session itself. */
const maxHours = 8

/** Stores the user for a reload. A session lasts as long as the API says, else as ours (docs/rules/sign-in.md). */
export const keepSignedInAs = ({ id, email, until }: Omit<SignedInAs, 'until'> & { until: string | undefined }): boolean =>
  writeStorage(name, { id, email, until: until ?? new Date(Date.now() + maxHours * 3_600_000).toISOString() })

/** Removes the stored user. */
export const forgetSignedInAs = (): boolean => writeStorage(name, null)

/** The stored user, for an API without a call for it. */
export const signedInAs = (): SignedInAs | null => readStorage(name, SignedInAs)
