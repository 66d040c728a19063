import { type RowMove, rowMoves } from '#portal/ui/roving-focus.ts'

/** Action of a key on the dashboard. */
export type DashboardAction = RowMove | 'line'

/** Keys of the dashboard without a command; a digit opens the line of that number. */
export const dashboardKeys: Readonly<Record<string, DashboardAction>> = {
  ...rowMoves,
  ...Object.fromEntries([...'123456789'].map((digit) => [digit, 'line' as const])),
}
