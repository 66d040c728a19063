import { wholeNumber } from '#domain/text.ts'
/** One line of a form of money: what a thing comes to now, what moves, and what it comes to then; all in cents. */
export interface MoneyLine {
  id: string | number
  title: string
  detail?: string
  before: number
  /** What stands there already, where `moves` takes its place. */
  has?: number
  /** What moves. Where the form asks for it line by line, it stands in the input until somebody types another amount. */
  moves: number
  after: number
  /** What else that does to it, in words: `closes`. */
  says?: string
  /** What `*` stands for in its input. */
  max?: number
  /** What `s` puts into its input. */
  suggested?: number
  /** It was filled in and is not offered any more: it has to be cleared. */
  gone?: true
  /** The heading that it and those after it stand below, apart from the lines before. */
  part?: string
}

/** A figure in the foot of a form of money, in cents; one that is too much is `bad`, one that is left over waits. */
export interface MoneySum {
  title: string
  cents: number
  tone?: 'bad' | 'wait'
}

/**
 * The lines of a form of money. They are its preview: each shows before and after of what is typed. A form with a field of
 * kind `rows` has an input in each, any other only shows what its amount does to them.
 */
export interface MoneyLines {
  /** What a line is about: `invoice`, `invoices`. */
  one: string
  many: string
  /** Over the three amounts: `Owes now`, `This pays`, `Owes after`. */
  heads: readonly [before: string, moves: string, after: string]
  lines: readonly MoneyLine[]
  /** True where the lines are not added up: what one gives another takes. */
  partialFailure?: true
  /** What always stays in view. */
  sums: readonly MoneySum[]
  /** Cents that the lines share out; `=` puts what is left of it into a line. */
  whole?: number
  /** What `*` stands for in the amount of the form, in cents. */
  max?: number
  /** Why the amounts are as they are: `Oldest due first.` */
  hint?: string
  /** Things that one might look for and that take no part, with the reason. */
  locked?: { title: string; detail: string; cents: number }
}

/** What a line does, to be compared: which amount moves, what it takes the place of, and what it leaves; nothing where none moves. */
const effectOf = ({ id, has = 0, moves, after }: MoneyLine) =>
  moves === 0 && has === 0 ? [] : [[id, has, moves, after] as const]

/** What lines do, to be compared. */
export const comesTo = ({ lines }: Pick<MoneyLines, 'lines'>): string => JSON.stringify(lines.flatMap(effectOf))

/** Of the lines as they are now, those that do something else than when `then` was what they come to. */
export function othersThan(then: string, lines: readonly MoneyLine[]): MoneyLine[] {
  const effects = JSON.parse(then) as ReturnType<typeof effectOf>
  return lines.filter((line) => comesTo({ lines: [line] }) !== JSON.stringify(effects.filter(([id]) => id === line.id)))
}

/** Cents of the parts together. */
export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0)

/** What is left of an amount, or how much too much is shared out; of a `negative` amount a negative part is left. */
export const leftOver = (title: string, cents: number, negative = false): MoneySum =>
  cents === 0
    ? { title, cents }
    : cents < 0 === negative
      ? { title, cents, tone: 'wait' }
      : { title: 'Too much', cents: Math.abs(cents), tone: 'bad' }

/** `3 invoices`, `1 invoice`. */
export const counted = (count: number, { one, many }: Pick<MoneyLines, 'one' | 'many'>): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`
