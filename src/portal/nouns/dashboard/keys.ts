/** What a key does on the dashboard. */
export type DashboardAction = 'next' | 'previous' | 'first' | 'last' | 'line'

/** The keys of the dashboard that no command stands behind; a digit is the line of that number. */
export const dashboardKeys: Readonly<Record<string, DashboardAction>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  j: 'next',
  k: 'previous',
  Home: 'first',
  End: 'last',
  ...Object.fromEntries([...'123456789'].map((digit) => [digit, 'line' as const])),
}
