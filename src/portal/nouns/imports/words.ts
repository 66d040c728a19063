import { wholeNumber } from '#domain/text.ts'

const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** A file size in readable units. */
export function bytes(size: number): string {
  const at = Math.min(units.length - 1, size === 0 ? 0 : Math.floor(Math.log(size) / Math.log(1000)))
  const shown = size / 1000 ** at
  return `${at === 0 ? wholeNumber(shown) : shown.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[at]}`
}
