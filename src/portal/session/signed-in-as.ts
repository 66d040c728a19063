import { z } from 'zod'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'

/** What a sign-in tells of the person, for an API that has no call for who is signed in (D162). */
const SignedInAs = z.object({
  /** The id that the challenge named, else the e-mail. */
  id: z.string(),
  email: z.string(),
  /** When the session ends at the latest. */
  until: z.iso.datetime(),
})
export type SignedInAs = z.infer<typeof SignedInAs>

const name = 'admin-portal.signed-in-as'
/** Rules 11, until the API ends the session by itself. */
const maxHours = 8

/** Keeps who signed in, for a reload. A session lasts as long as the API says, else as ours (rules 11). */
export const keepSignedInAs = ({ id, email, until }: Omit<SignedInAs, 'until'> & { until: string | undefined }): boolean =>
  writeStorage(name, { id, email, until: until ?? new Date(Date.now() + maxHours * 3_600_000).toISOString() })

/** Forgets who signed in. */
export const forgetSignedInAs = (): boolean => writeStorage(name, null)

/** Who signed in here at an API that does not tell. */
export const signedInAs = (): SignedInAs | null => readStorage(name, SignedInAs)
