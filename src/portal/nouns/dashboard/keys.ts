/** Action of a key on the dashboard. */
export type DashboardAction = 'next' | 'previous' | 'first' | 'last' | 'line'

/** Keys of the dashboard without a command; a digit opens the line of that number. */
export const dashboardKeys: Readonly<Record<string, DashboardAction>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  j: 'next',
  k: 'previous',
  Home: 'first',
  End: 'last',
  ...Object.fromEntries([...'123456789'].map((digit) => [digit, 'line' as const])),
}
