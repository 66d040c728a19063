import { reopenKyc, undoReview } from '#contract/user-changes.ts'
import { changeOfUser, reviewed } from '#entities/forms/user-change.ts'

export default changeOfUser({
  id: 'user.reopen-identity-check',
  titles: ['Review user identity check again', 'Review identity check of linked user again'],
  aliases: ['reopen kyc', 'under review'],
  icon: 'refresh',
  suggestedFilter: { kyc: 'APPROVED,DENIED' },
  does: reopenKyc,
  call: ({ id, kyc_id, version }) => reopenKyc({ id, kycId: kyc_id ?? 0 }, { version }),
  undo: undoReview,
  preview: reviewed('UNDER_REVIEW'),
  done: (name) => `The identity check of ${name} is under review`,
})
