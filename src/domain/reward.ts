import { type StateOf, states } from '#domain/status.ts'

/** Reasons for a reward. */
export const rewardKinds = ['SIGN_UP', 'REFERRAL', 'FIRST_TRANSACTION', 'SURVEY'] as const
export type RewardKind = (typeof rewardKinds)[number]
export const rewardLabels: Readonly<Record<RewardKind, string>> = {
  SIGN_UP: 'Sign-up',
  REFERRAL: 'Referral',
  FIRST_TRANSACTION: 'First transaction',
  SURVEY: 'Survey',
}

/** Statuses of a reward (docs/rules/employees.md): promised, paid, or expired. */
export const rewardStatuses = states({
  PENDING: ['Pending', 'wait'],
  GRANTED: ['Granted', 'good'],
  EXPIRED: ['Expired', 'idle'],
})
export type RewardStatus = StateOf<typeof rewardStatuses>
