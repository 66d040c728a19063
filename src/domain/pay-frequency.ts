/** Pay frequencies of a pay group (ENT-111 to ENT-114). */
export const payFrequencies = ['WEEKLY', 'BI_WEEKLY', 'SEMI_MONTHLY', 'MONTHLY'] as const
export type PayFrequency = (typeof payFrequencies)[number]
