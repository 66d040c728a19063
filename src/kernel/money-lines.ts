/** One line of a money form: the amount before, the change and the amount after, all in cents. */
export interface MoneyLine {
  id: string | number
  title: string
  detail?: string
  before: number
  /** The existing amount that `moves` replaces. */
  has?: number
  /** The change. If the form has an input per line, its initial value. */
  moves: number
  after: number
  /** A further effect, in words: `closes`. */
  says?: string
  /** The amount for `*` in its input. */
  max?: number
  /** The amount for `s` in its input. */
  suggested?: number
  /** It was filled in but is no longer available: it must be cleared. */
  gone?: true
  /** Heading above this line and the following ones, which separates them from the lines before. */
  part?: string
}

/** A figure in the foot of a money form, in cents: `bad` if it is too much, `waits` if it is left over. */
export interface MoneySum {
  title: string
  cents: number
  tone?: 'bad' | 'wait'
}

/**
 * The lines of a money form. They are its preview: each shows the amounts before and after. A form with a field of kind `rows`
 * has an input per line; any other only shows what its amount does to them.
 */
export interface MoneyLines {
  /** What a line is about: `invoice`, `invoices`. */
  one: string
  many: string
  /** Headings of the three amounts: `Owes now`, `This pays`, `Owes after`. */
  heads: readonly [before: string, moves: string, after: string]
  lines: readonly MoneyLine[]
  /** True if the lines must not be added up, because one gives what another takes. */
  notSummed?: true
  /** Sums that stay in view. */
  sums: readonly MoneySum[]
  /** Cents shared out over the lines; `=` puts the remainder into a line. */
  whole?: number
  /** The amount for `*` in the form's amount field, in cents. */
  max?: number
  /** Why the amounts are as they are: `Oldest due first.` */
  hint?: string
  /** Excluded records that the person might look for, with the reason. */
  locked?: { title: string; detail: string; cents: number }
}

/** The effect of a line for comparison: which amount moves, what it replaces and what remains. Empty if none moves. */
const effectOf = ({ id, has = 0, moves, after }: MoneyLine) =>
  moves === 0 && has === 0 ? [] : [[id, has, moves, after] as const]

/** The effect of all lines, as a comparable key. */
export const comesTo = ({ lines }: Pick<MoneyLines, 'lines'>): string => JSON.stringify(lines.flatMap(effectOf))

/** The current lines whose effect differs from those behind the key `then`. */
export function othersThan(then: string, lines: readonly MoneyLine[]): MoneyLine[] {
  const effects = JSON.parse(then) as ReturnType<typeof effectOf>
  return lines.filter((line) => comesTo({ lines: [line] }) !== JSON.stringify(effects.filter(([id]) => id === line.id)))
}

/** Sum of amounts in cents. */
export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0)

/** The remainder of an amount, or the excess shared out; for a `negative` amount the remainder is negative. */
export const leftOver = (title: string, cents: number, negative = false): MoneySum =>
  cents === 0
    ? { title, cents }
    : cents < 0 === negative
      ? { title, cents, tone: 'wait' }
      : { title: 'Too much', cents: Math.abs(cents), tone: 'bad' }
