/** Whether this page was reloaded at the current address. */
export function isReloadOf(address: string): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return load?.type === 'reload' && address === location.href
}
