import {
  approveKyc,
  changeEmail,
  changeNames,
  clearPhone,
  clearPhoneNumber,
  configureDocuments,
  confirmEmail,
  deactivateUser,
  denyKyc,
  postDocumentConfigurations,
  reopenKyc,
  reviewKyc,
  softDelete,
  updateEmail,
  updateNames,
} from '#contract/user-changes.ts'
import type { Actor } from '#server/access/actor.ts'
import { confirmNewEmail, mailToConfirm } from '#server/auth/user-email.ts'
import { change, on, ownTransactions } from '#server/http/route.ts'
import { invalid } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { seesRestricted } from '#server/tables/employees.ts'
import { saveIdentityCheck } from '#server/tables/identity-checks.ts'
import { lockUser, saveUser, toUser, type WholeUser } from '#server/tables/users.ts'

const target = ({ id, version }: WholeUser) => ({ entity: 'user', id: String(id), version })

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

/** Common parts of changes of a user: the user is locked, inside the person's access. */
const ofUser = {
  subject: ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number } }) => lockUser(tx, actor, params.id),
  target,
  snapshot,
  facts: async ({ actor, subject }: { actor: Actor; subject: WholeUser }) => toUser(subject, seesRestricted(actor)),
}

const toResult = (actor: Actor, after: WholeUser, text?: string | null) => ({
  after,
  answer: toUser(after, seesRestricted(actor)),
  ...(text === undefined ? {} : { text }),
})

/** The same for changes of the identity check, which must belong to that user. */
const ofKyc = {
  ...ofUser,
  subject: async ({ tx, actor, params }: { tx: Tx; actor: Actor; params: { id: number; kycId: number } }) => {
    const user = await lockUser(tx, actor, params.id)
    return user?.kyc_id === params.kycId ? user : null
  },
}

interface DecisionContext {
  tx: Tx
  actor: Actor
  subject: WholeUser
  now: Date
}

/** Saves a decision on the identity check and its author; a check under review again has none. */
async function decide(
  status: 'APPROVED' | 'DENIED' | 'UNDER_REVIEW',
  reason: string | null,
  { tx, actor, subject, now }: DecisionContext,
) {
  const isOpen = status === 'UNDER_REVIEW'
  await saveIdentityCheck(tx, subject.id, {
    reviewed_at: isOpen ? null : now,
    reviewed_by_name: isOpen ? null : actor.name,
    reason,
  })
  return toResult(actor, { ...(await saveUser(tx, subject, { kyc_status: status }, actor.id, now)), kyc_reason: reason })
}

export const routes = [
  change(updateNames, {
    ...ofUser,
    intents: [
      on<typeof changeNames, WholeUser>(changeNames, async ({ tx, actor, subject, body: { first_name, last_name }, now }) =>
        toResult(actor, await saveUser(tx, subject, { first_name, last_name }, actor.id, now)),
      ),
    ],
  }),

  change(updateEmail, {
    ...ofUser,
    intents: [
      on<typeof changeEmail, WholeUser>(changeEmail, async ({ tx, actor, subject, body: { email, brand }, now }) => {
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
        return toResult(actor, await saveUser(tx, subject, changes, actor.id, now))
      }),
    ],
  }),

  ownTransactions(confirmEmail, async ({ db, body, now }) => {
    await confirmNewEmail(db, body.token, now)
    return {}
  }),

  change(clearPhoneNumber, {
    ...ofUser,
    intents: [
      on<typeof clearPhone, WholeUser>(clearPhone, async ({ tx, actor, subject, now }) =>
        toResult(actor, await saveUser(tx, subject, { phone_number: null }, actor.id, now)),
      ),
    ],
  }),

  change(deactivateUser, {
    ...ofUser,
    intents: [
      on<typeof softDelete, WholeUser>(softDelete, async ({ tx, actor, subject, now }) => {
        const deletedValues = { status: 'DELETED', pending_email: null, status_before_email: null, email_token_hash: null }
        return toResult(actor, await saveUser(tx, subject, { ...deletedValues, email_token_until: null }, actor.id, now))
      }),
    ],
  }),

  change(postDocumentConfigurations, {
    ...ofKyc,
    intents: [
      on<typeof configureDocuments, WholeUser>(configureDocuments, async ({ tx, actor, subject, body, now }) => {
        const document_types = [...new Set(body.document_types)]
        await saveIdentityCheck(tx, subject.id, { document_types })
        return toResult(actor, { ...(await saveUser(tx, subject, {}, actor.id, now)), document_types })
      }),
    ],
  }),

  change(reviewKyc, {
    ...ofKyc,
    intents: [
      on<typeof approveKyc, WholeUser>(approveKyc, (context) => decide('APPROVED', null, context)),
      on<typeof denyKyc, WholeUser>(denyKyc, (context) => decide('DENIED', context.body.reason, context)),
      on<typeof reopenKyc, WholeUser>(reopenKyc, (context) => decide('UNDER_REVIEW', null, context)),
    ],
  }),
]
