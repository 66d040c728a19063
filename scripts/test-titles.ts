import { parseSync, Visitor } from 'oxc-parser'

// biome-ignore lint/suspicious/noExplicitAny: any node of the syntax tree
type Node = any

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

/** The titles of the tests and groups of a source, as written there: a title from a table has its `%s`. `at` is the offset of the call. */
export function titlesIn(path: string, text: string): { title: string; at: number }[] {
  const titles: { title: string; at: number }[] = []
  new Visitor({
    CallExpression(call: Node) {
      const title = isTestCall(call) ? textOf(call.arguments[0]) : null
      if (title !== null) titles.push({ title, at: call.start })
    },
  }).visit(parseSync(path, text).program)
  return titles
}
