const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Integer cents for people: `$1,234.50`, negatives with a real minus (CONST-010). */
export const formatCents = (cents: number): string => `${cents < 0 ? '−' : ''}$${dollars.format(Math.abs(cents) / 100)}`

/**
 * Parses typed dollars to integer cents: `1,234.5`, `.50`, `-50`, and in accounting notation `(50.00)` or `50.00-`. Null if it
 * is not an amount with at most two decimals.
 */
export function parseDollars(text: string): number | null {
  const typed = text
    .trim()
    .replaceAll('$', '')
    // A space may be a thousands separator or at the edge: '12 34' is not 1,234 dollars.
    .replace(/(?<=\d)\s(?=\d{3}\b)/g, ',')
    .replace(/\B\s+|\s+\B/g, '')
    .replaceAll('−', '-')
    .replace(/^\(([\d.,]+)\)$|^([\d.,]+)-$/, '-$1$2')
  // A comma is a thousands separator only: '200,00' is not 20,000 dollars.
  if (typed.includes(',') && !/^[-+]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(typed)) return null
  const match = /^([-+]?)(?=\.?\d)(\d{0,12})(?:\.(\d{0,2}))?$/.exec(typed.replaceAll(',', ''))
  if (!match) return null
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  return match[1] === '-' ? 0 - cents : cents
}

/** Hourly estimate of cents per year for 52 weeks of 40 hours, rounded down to the cent (CONST-012, ENUM-015). */
export const hourlyEstimate = (centsPerYear: number): number => Math.floor(centsPerYear / (52 * 40))

/** A share of an amount, rounded down to the cent; basis points are hundredths of a percent. Exact at any size. */
export function percentOf(cents: number, basisPoints: number): number {
  const product = BigInt(cents) * BigInt(basisPoints)
  const whole = product / 10_000n
  return Number(product < 0n && product % 10_000n !== 0n ? whole - 1n : whole)
}

/** A configured amount or percentage as used by the rules: missing or not positive is 0 (CONST-011). */
export const configured = (value: number | null | undefined): number => Math.max(0, value || 0)
