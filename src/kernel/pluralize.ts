import { wholeNumber } from '#domain/text.ts'

/** '1 employee', '2,000 employees'; 'rows' if there is no noun. */
export const pluralize = (count: number, of: { one: string; many: string } = { one: 'row', many: 'rows' }): string =>
  `${wholeNumber(count)} ${count === 1 ? of.one : of.many}`
