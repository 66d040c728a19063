import { type Expression, type Node, type Program, Visitor } from 'oxc-parser'

export interface Import {
  specifier: string
  line: number
}

/** The value of a string literal, or of a template without expressions. */
function literalOf(node: Node | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null
  return null
}

const isImportMeta = (node: Node): boolean => node.type === 'MetaProperty' && node.meta.name === 'import'

/** The method called on `import.meta`: `glob`, `resolve`. */
const metaCallee = (callee: Expression): string | null =>
  callee.type === 'MemberExpression' && isImportMeta(callee.object) && callee.property.type === 'Identifier'
    ? callee.property.name
    : null

const isModule = (path: string): boolean => /\.(tsx?|m?js|css)$/.test(path)

/**
 * Every reference from a file to another module, for values or types: import, export from, import(), import types, module
 * augmentation, globs, require, and URLs relative to the file. `unread` has the lines whose specifier is only known at run time.
 */
export function importsOf(program: Program, text: string): { imports: Import[]; unread: number[] } {
  const imports: Import[] = []
  const unread: number[] = []
  const add = (node: Node, named: Node | null | undefined): void => {
    const line = text.slice(0, node.start).split('\n').length
    const specifier = literalOf(named)
    if (specifier === null) unread.push(line)
    // Exclusions of a glob are not imports.
    else if (!specifier.startsWith('!')) imports.push({ specifier, line })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node, node.source),
    ExportAllDeclaration: (node) => add(node, node.source),
    ExportNamedDeclaration: (node) => node.source && add(node, node.source),
    ImportExpression: (node) => add(node, node.source),
    TSImportType: (node) => add(node, node.source),
    TSExternalModuleReference: (node) => add(node, node.expression),
    TSModuleDeclaration: (node) => node.id.type === 'Literal' && add(node, node.id),
    CallExpression: (node) => {
      const [first] = node.arguments
      const ofMeta = metaCallee(node.callee)
      const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require'
      if (ofMeta === 'glob' && first?.type === 'ArrayExpression') for (const each of first.elements) add(node, each)
      else if (ofMeta === 'glob' || ofMeta === 'resolve' || isRequire) add(node, first)
    },
    NewExpression: (node) => {
      const [named, base] = node.arguments
      const path = literalOf(named)
      const beside = base?.type === 'MemberExpression' && isImportMeta(base.object)
      if (beside && path !== null && isModule(path)) add(node, named)
    },
  }).visit(program)
  return { imports, unread }
}

/** Every style sheet, script, font and picture that a style sheet refers to, except inlined ones. */
export function importsOfStyles(text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const named = /(?:@(?:import|plugin|config|reference)\s+|\burl\(\s*)(?:url\(\s*)?(['"]?)([^'")\s]+)\1/g
  return [...code.matchAll(named)]
    .filter(([, , specifier]) => !/^(data:|#)/.test(specifier as string))
    .map((match) => ({ specifier: match[2] as string, line: code.slice(0, match.index).split('\n').length }))
}
