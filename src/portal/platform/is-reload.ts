/** Whether it was a reload that began this page, at the address where it is now. */
export function isReloadOf(address: string): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return load?.type === 'reload' && address === location.href
}
