import { postImportMail } from '#contract/import-mail.ts'
import { fromNetwork, giveBackGuess, takeGuess } from '#server/limits/guesses.ts'
import { networkOf } from '#server/limits/network.ts'
import { sameSecret } from '#server/auth/secret.ts'
import { printable } from '#server/http/input.ts'
import { ownTransactions } from '#server/http/route.ts'
import { FileRefused } from '#server/jobs/imports/receive.ts'
import { receiveMail } from '#server/jobs/imports/receive-mail.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'

/** Maximum length of the key in the header. */
const maxKeyLength = 100

export const routes = [
  ownTransactions(
    postImportMail,
    async ({ services, body, caller, now }) => {
      try {
        return await receiveMail(services.background.db, Buffer.from(body.message, 'base64'), now, caller.gone)
      } catch (error) {
        if (error instanceof FileRefused) throw invalid([{ path: 'message', message: error.message }])
        throw error
      }
    },
    async ({ db, auth, caller, headers, now }) => {
      // Without a configured key there is no mail intake.
      if (auth.mailKey === null) throw notFound()
      const guesses = fromNetwork(`mail ${networkOf(caller.address)}`)
      if (await takeGuess(db, guesses, now))
        throw new Refused(429, 'too-many-attempts', 'Too many attempts. Try again in a moment.')
      if (!sameSecret(printable(headers, 'key', maxKeyLength) ?? '', auth.mailKey))
        throw new Refused(401, 'credentials-invalid', 'This is not the key of the intake.')
      await giveBackGuess(db, guesses, now)
    },
  ),
]
