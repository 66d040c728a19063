import { formatCents, parseDollars } from '#domain/money.ts'
import { wholeNumber } from '#domain/text.ts'

/** Converts between a number in its smallest unit and its text. */
export interface AmountText {
  parse(text: string): number | null
  format(value: number): string
  before?: string
  after?: string
}

/** Cents as dollars: `1,234.50`. */
export const moneyText: AmountText = {
  parse: parseDollars,
  format: (cents) => formatCents(cents).replace('$', ''),
  before: '$',
}

/** Basis points as percent: `12.5`. */
export const percentageText: AmountText = {
  parse: (text) => {
    const match = /^(\d{1,5})(?:\.(\d{0,2}))?%?$/.exec(text.trim().replace(/\s+%$/, '%'))
    return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null
  },
  format: (points) => String(points / 100),
  after: '%',
}

/** Whole numbers: `1,234`. */
export const integerText: AmountText = {
  parse: (text) =>
    /^[-−]?\d{1,15}$/.test(text.trim().replace(/[,\s]/g, '')) ? Number(text.replace(/[,\s]/g, '').replace('−', '-')) : null,
  format: (value) => wholeNumber(value).replace('-', '−'),
}
