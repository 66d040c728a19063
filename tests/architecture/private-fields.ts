import { parseSync, Visitor } from 'oxc-parser'
import type { Source } from '#tests/architecture/source.ts'

/** Documented for libraries that build on zod. */
const documented = ['_zod']
const isPrivate = (name: string): boolean => /^_\w/.test(name) && !documented.includes(name)

/**
 * Places that use a field which the types of a library leave out: a name with an underscore, and on the server a value that is cast
 * past `unknown` to a type made up for it.
 */
export function privateFields({ path, text }: Pick<Source, 'path' | 'text'>): string[] {
  if (path.endsWith('.css') || !/\b_\w|as unknown as/.test(text)) return []
  const found: string[] = []
  const report = ({ start, end }: { start: number; end: number }) =>
    found.push(`${path}:${text.slice(0, start).split('\n').length} ${text.slice(start, end)}`)
  const made = new Set([...text.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm)].map(([, name]) => name))
  new Visitor({
    MemberExpression: (node) => {
      if (!node.computed && node.property.type === 'Identifier' && isPrivate(node.property.name)) report(node)
    },
    ObjectPattern: ({ properties }) => {
      for (const one of properties)
        if (one.type === 'Property' && one.key.type === 'Identifier' && isPrivate(one.key.name)) report(one)
    },
    TSAsExpression: (node) => {
      if (!/^(src\/server|scripts)\//.test(path)) return
      const { expression: inner, typeAnnotation: type } = node
      if (inner.type !== 'TSAsExpression' || inner.typeAnnotation.type !== 'TSUnknownKeyword') return
      if (type.type === 'TSTypeLiteral' || made.has(text.slice(type.start, type.end))) report(node)
    },
  }).visit(parseSync(path, text).program)
  return found
}
