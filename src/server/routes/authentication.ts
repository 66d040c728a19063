import {
  acceptInvitation,
  answerByRecoveryCode,
  answerChallenge,
  checkInvitation,
  confirmNewPassword,
  forgotPassword,
  openDeviceLink,
  requestDeviceLink,
  signIn,
  verifyResetCode,
} from '#contract/authentication.ts'
import { getCredentials, signOut } from '#contract/session.ts'
import { currentApplicationKey } from '#server/auth/application-key.ts'
import * as deviceLink from '#server/auth/device-link.ts'
import * as invitation from '#server/auth/invitation.ts'
import { checkResetCode, confirmReset, requestReset } from '#server/auth/reset.ts'
import { endSession } from '#server/auth/session.ts'
import { answerCode, answerPassword, answerRecoveryCode } from '#server/auth/sign-in.ts'
import { recordSignInEvent } from '#server/auth/sign-in-events.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyRoute, ownTransactions, route } from '#server/http/route.ts'

/** Longer than queueing a mail takes, so that the response time does not reveal whether a mail was sent. */
const mailMilliseconds = 150
const noSooner = (work: Promise<void>) => Promise.all([work, sleep(mailMilliseconds)])

export const routes: AnyRoute[] = [
  route(getCredentials, async ({ tx }) => ({ application_key: await currentApplicationKey(tx) })),
  ownTransactions(signIn, (context) => answerPassword(context, context.body)),
  ownTransactions(answerChallenge, (context) => answerCode(context, context.params.userId, context.body)),
  ownTransactions(answerByRecoveryCode, (context) => answerRecoveryCode(context, context.params.userId, context.body)),
  ownTransactions(forgotPassword, async (context) => {
    await noSooner(requestReset(context, context.body.email))
    return {}
  }),
  ownTransactions(requestDeviceLink, async (context) => {
    await noSooner(deviceLink.requestDeviceLink(context, context.body.email))
    return {}
  }),
  ownTransactions(openDeviceLink, (context) => deviceLink.openDeviceLink(context, context.body.token)),
  ownTransactions(verifyResetCode, async (context) => {
    await checkResetCode(context, context.body.email, context.body.code)
    return {}
  }),
  ownTransactions(confirmNewPassword, async (context) => {
    await confirmReset(context, context.body)
    return {}
  }),
  ownTransactions(checkInvitation, (context) => invitation.checkInvitation(context, context.body.token)),
  ownTransactions(acceptInvitation, (context) => invitation.acceptInvitation(context, context.body)),
  route(signOut, async ({ tx, actor, caller, now }) => {
    await endSession(tx, actor.sessionId, now)
    await recordSignInEvent(tx, 'person.sign-out', actor, caller)
    return {}
  }),
]
