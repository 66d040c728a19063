import {
  acceptInvitation,
  answerChallenge,
  confirmNewPassword,
  forgotPassword,
  getCredentials,
  signIn,
  signOut,
  verifyResetCode,
} from '#contract/authentication.ts'
import { currentApplicationKey } from '#server/auth/application-key.ts'
import * as invitation from '#server/auth/invitation.ts'
import { checkResetCode, confirmReset, requestReset } from '#server/auth/reset.ts'
import { endSession } from '#server/auth/session.ts'
import { answerCode, answerPassword } from '#server/auth/sign-in.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import { type AnyRoute, ownTransactions, route } from '#server/route.ts'

export const routes: AnyRoute[] = [
  route(getCredentials, async ({ tx }) => ({ application_key: await currentApplicationKey(tx) })),
  ownTransactions(signIn, (context) => answerPassword(context, context.body)),
  ownTransactions(answerChallenge, (context) => answerCode(context, context.params.userId, context.body)),
  ownTransactions(forgotPassword, async (context) => {
    await requestReset(context, context.body.email)
    return {}
  }),
  ownTransactions(verifyResetCode, async (context) => {
    await checkResetCode(context, context.body.email, context.body.code)
    return {}
  }),
  ownTransactions(confirmNewPassword, async (context) => {
    await confirmReset(context, context.body)
    return {}
  }),
  ownTransactions(acceptInvitation, (context) => invitation.acceptInvitation(context, context.body)),
  route(signOut, async ({ tx, actor, caller, now }) => {
    await endSession(tx, actor.sessionId, now)
    await recordSignInEvent(tx, 'person.sign-out', actor, caller)
    return {}
  }),
]
