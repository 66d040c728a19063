/**
 * An object of a history in words, field by field, a period first: `2026-11-02 to 2026-11-08, report date 2026-11-10`; `text`
 * formats the value of a field.
 */
export function partsText(whole: object, text: (field: string, value: unknown) => string): string {
  const { start_date: start, end_date: end, ...rest } = whole as Record<string, unknown>
  const period = start && end ? [`${text('start_date', start)} to ${text('end_date', end)}`] : []
  const parts = Object.entries(period.length ? rest : whole).map(
    ([field, value]) => `${field.replaceAll('_', ' ')} ${text(field, value)}`,
  )
  return [...period, ...parts].join(', ')
}
