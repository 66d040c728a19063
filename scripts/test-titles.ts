import { type ParseResult, parseSync, Visitor } from 'oxc-parser'

// biome-ignore lint/suspicious/noExplicitAny: any node of the syntax tree
type Node = any
type Program = ParseResult['program']

const runners = new Set(['test', 'it', 'describe'])

/** Whether a call is `test(…)`, `test.skipIf(…)(…)` or `test.each(…)(…)`. */
function isTestCall({ callee }: Node): boolean {
  let name = callee
  while (name.type === 'MemberExpression' || name.type === 'CallExpression')
    name = name.type === 'MemberExpression' ? name.object : name.callee
  return name.type === 'Identifier' && runners.has(name.name)
}

function textOf(node: Node): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral') return node.quasis.map((each: Node) => each.value.cooked).join('%s')
  return null
}

interface Title {
  title: string
  /** The offset of the call. */
  at: number
}

/** The titles of the tests and groups of a source, as written there: a title from a table has its `%s`. */
export const titlesIn = (path: string, text: string): Title[] => titlesOf(parseSync(path, text).program)

/** The same of a parsed source. */
export function titlesOf(program: Program): Title[] {
  const titles: Title[] = []
  new Visitor({
    CallExpression(call: Node) {
      const title = isTestCall(call) ? textOf(call.arguments[0]) : null
      if (title !== null) titles.push({ title, at: call.start })
    },
  }).visit(program)
  return titles
}
