import { approveKyc, undoReview } from '#contract/user-changes.ts'
import { changeOfUser, reviewed } from '#entities/forms/user-change.ts'

export default changeOfUser({
  id: 'user.approve-identity-check',
  titles: ['Approve user identity check', 'Approve identity check of linked user'],
  aliases: ['approve kyc', 'review kyc', 'kyc'],
  suggestedFilter: { kyc: 'UNDER_REVIEW' },
  does: approveKyc,
  call: ({ id, kyc_id, version }) => approveKyc({ id, kycId: kyc_id ?? 0 }, { version }),
  undo: undoReview,
  preview: reviewed('APPROVED'),
  done: (name) => `Approved the identity check of ${name}`,
})
