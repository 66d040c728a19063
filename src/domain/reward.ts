/** What a reward is given for. */
export const rewardKinds = ['SIGN_UP', 'REFERRAL', 'FIRST_TRANSACTION', 'SURVEY'] as const
export type RewardKind = (typeof rewardKinds)[number]
export const rewardLabels: Readonly<Record<RewardKind, string>> = {
  SIGN_UP: 'Sign-up',
  REFERRAL: 'Referral',
  FIRST_TRANSACTION: 'First transaction',
  SURVEY: 'Survey',
}

/** Where a reward stands (rules 17): promised, paid, or not taken up in time. */
export const rewardStatuses = ['PENDING', 'GRANTED', 'EXPIRED'] as const
export type RewardStatus = (typeof rewardStatuses)[number]
