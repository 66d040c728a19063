import { wholeNumber } from '#domain/text.ts'
import type { Command } from '#kernel/command.ts'
import type { Targets } from '#portal/platform/commands.ts'

/** The subject of a form on several records: '3 invoices'. */
export const chipOf = ({ on }: Command, { filter, ids, count }: Targets): string => {
  const many = filter ? count : ids.length
  return `${many === null ? 'All' : wholeNumber(many)} ${on?.many ?? 'rows'}`
}
