import { denyKyc, undoReview } from '#contract/user-changes.ts'
import { changeOfUser, reviewed } from '#entities/forms/user-change.ts'

export default changeOfUser<{ reason: string }>({
  id: 'user.deny-identity-check',
  titles: ['Deny user identity check', 'Deny identity check of linked user'],
  aliases: ['reject kyc', 'deny kyc', 'review kyc', 'kyc'],
  suggestedFilter: { kyc: 'UNDER_REVIEW' },
  does: denyKyc,
  form: denyKyc.body.omit({ status: true, version: true }),
  call: ({ id, kyc_id, version }, { reason }) => denyKyc({ id, kycId: kyc_id ?? 0 }, { reason, version }),
  undo: undoReview,
  preview: reviewed('DENIED'),
  warning: () => 'While it is denied, a paused employee cannot be resumed.',
  done: (name) => `Denied the identity check of ${name}`,
})
