import { parseSync, Visitor } from 'oxc-parser'
import type { Source } from '#tests/architecture/source.ts'

/** Files that parse numbers which are not ids: positions, amounts, dates, times. */
const numbersAreRead = [
  'commands/filter/by.ts',
  'src/kernel/sentence/arguments.ts',
  'src/kernel/sentence/field-value.ts',
  'src/portal/form/table/rows.ts',
  'src/portal/form/preview/use-preview.tsx',
  'src/portal/format/amount-text.ts',
  'src/portal/format/date-words.ts',
  'src/portal/format/filter-text.ts',
  'src/portal/palette/result-list.tsx',
  'src/portal/record/detail.tsx',
  'src/portal/session/idle.ts',
]

const readers = [
  'Number',
  'parseInt',
  'parseFloat',
  'BigInt',
  'Number.parseInt',
  'Number.parseFloat',
  'z.coerce.number',
  'z.coerce.bigint',
]
const arithmetic = ['<', '>', '<=', '>=', '-', '*', '/', '%', '**']
const isId = /(^|[._])ids?$|Id$|\bid\(.*\)$/

/**
 * Places where an id is used as a number. Kernel, entities, commands and portal treat ids as text; the schema of each endpoint
 * defines their form on the API.
 */
export function idsAsNumbers({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  if (!/^(commands|src\/(kernel|entities|portal))\//.test(path) || path.endsWith('.css')) return []
  const found: string[] = []
  const sourceOf = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
  const say = (node: { start: number; end: number }) =>
    found.push(`${path}:${text.slice(0, node.start).split('\n').length} ${sourceOf(node)}`)
  new Visitor({
    CallExpression: (node) => {
      if (readers.includes(sourceOf(node.callee)) && !numbersAreRead.includes(path)) say(node)
    },
    UnaryExpression: (node) => {
      if (node.operator === '+') say(node)
    },
    BinaryExpression: (node) => {
      if (arithmetic.includes(node.operator) && [node.left, node.right].some((side) => isId.test(sourceOf(side)))) say(node)
    },
  }).visit(parseSync(path, text).program)
  return found
}
