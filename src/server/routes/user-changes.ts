import {
  approveKyc,
  changeEmail,
  changeNames,
  clearPhone,
  configureDocuments,
  confirmEmail,
  denyKyc,
  reopenKyc,
  softDelete,
} from '#contract/user-changes.ts'
import type { Actor } from '#server/access/actor.ts'
import { confirmNewEmail, mailToConfirm } from '#server/auth/user-email.ts'
import { type ChangeOf, changing, ownTransactions } from '#server/http/route.ts'
import { invalid } from '#server/http-error.ts'
import { seesRestricted } from '#server/tables/employees.ts'
import { saveIdentityCheck } from '#server/tables/identity-checks.ts'
import { lockUser, saveUser, toUser, type WholeUser } from '#server/tables/users.ts'
import type { User } from '#contract/users.ts'

/** The snapshot of a user for the history, without anything that is masked for some readers. */
const snapshot = ({ brand, first_name, last_name, email, pending_email, phone_number, status, ...user }: WholeUser) => ({
  brand,
  first_name,
  last_name,
  email,
  pending_email,
  phone_number,
  status,
  kyc_id: user.kyc_id,
  kyc_status: user.kyc_status,
  kyc_reason: user.kyc_reason,
  document_types: user.document_types,
})

const user = {
  entity: 'user',
  snapshot,
  answer: (one: WholeUser, actor: Actor) => toUser(one, seesRestricted(actor)),
}

/** A change of a user: the user is locked, inside the person's access. */
const change = changing({ ...user, subject: ({ tx, actor, params }) => lockUser(tx, actor, params.id) })

/** A change of the identity check, which must belong to that user. */
const changeKyc = changing<WholeUser, User, { id: number; kycId: number }>({
  ...user,
  subject: async ({ tx, actor, params }) => {
    const found = await lockUser(tx, actor, params.id)
    return found?.kyc_id === params.kycId ? found : null
  },
})

/** Saves a decision on the identity check and its author; a check under review again has none. */
async function decide(
  status: 'APPROVED' | 'DENIED' | 'UNDER_REVIEW',
  reason: string | null,
  { tx, actor, subject, now }: ChangeOf<WholeUser>,
) {
  const isOpen = status === 'UNDER_REVIEW'
  await saveIdentityCheck(tx, subject.id, {
    reviewed_at: isOpen ? null : now,
    reviewed_by_name: isOpen ? null : actor.name,
    reason,
  })
  return { after: { ...(await saveUser(tx, subject, { kyc_status: status }, actor.id, now)), kyc_reason: reason } }
}

export const routes = [
  change(changeNames, async ({ tx, actor, subject, body: { first_name, last_name }, now }) => ({
    after: await saveUser(tx, subject, { first_name, last_name }, actor.id, now),
  })),

  change(changeEmail, async ({ tx, actor, subject, body: { email, brand }, now }) => {
    if (brand !== subject.brand)
      throw invalid([{ path: 'brand', message: 'The brand of the header is not the brand of this user.' }])
    const pendingEmail = subject.pending_email
    if (email === (pendingEmail ?? subject.email))
      throw invalid([
        {
          path: 'email',
          message: pendingEmail ? 'This e-mail waits to be confirmed already.' : 'This is the e-mail already.',
        },
      ])
    const before = subject.status_before_email ?? subject.status
    const changes =
      email === subject.email
        ? { status: before, pending_email: null, status_before_email: null, email_token_hash: null, email_token_until: null }
        : {
            status: 'PENDING_EMAIL_UPDATE',
            pending_email: email,
            status_before_email: before,
            ...(await mailToConfirm(tx, { brand, email }, now)),
          }
    return { after: await saveUser(tx, subject, changes, actor.id, now) }
  }),

  ownTransactions(confirmEmail, async ({ db, body, now }) => {
    await confirmNewEmail(db, body.token, now)
    return {}
  }),

  change(clearPhone, async ({ tx, actor, subject, now }) => ({
    after: await saveUser(tx, subject, { phone_number: null }, actor.id, now),
  })),

  change(softDelete, async ({ tx, actor, subject, now }) => {
    const deletedValues = { status: 'DELETED', pending_email: null, status_before_email: null, email_token_hash: null }
    return { after: await saveUser(tx, subject, { ...deletedValues, email_token_until: null }, actor.id, now) }
  }),

  changeKyc(configureDocuments, async ({ tx, actor, subject, body, now }) => {
    const document_types = [...new Set(body.document_types)]
    await saveIdentityCheck(tx, subject.id, { document_types })
    return { after: { ...(await saveUser(tx, subject, {}, actor.id, now)), document_types } }
  }),

  changeKyc(approveKyc, (context) => decide('APPROVED', null, context)),

  changeKyc(denyKyc, (context) => decide('DENIED', context.body.reason, context)),

  changeKyc(reopenKyc, (context) => decide('UNDER_REVIEW', null, context)),
]
