const short = new Set(['money', 'percentage', 'integer', 'date', 'code', 'switch'])

/** Two adjacent short fields share a row. */
export function standsHalf(fields: readonly { kind: string }[], index: number): boolean {
  let run = index
  while (run > 0 && short.has(fields[run - 1]?.kind ?? '')) run--
  if (!short.has(fields[index]?.kind ?? '')) return false
  const place = (index - run) % 2
  return place === 1 || short.has(fields[index + 1]?.kind ?? '')
}
