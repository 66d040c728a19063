import { type Expression, type Node, type Program, Visitor } from 'oxc-parser'

export interface Import {
  specifier: string
  line: number
}

/** What is written out: a string, or a template without a gap. */
function literalOf(node: Node | null | undefined): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? null
  return null
}

const isImportMeta = (node: Node): boolean => node.type === 'MetaProperty' && node.meta.name === 'import'

/** The name after `import.meta`, of what is called there: `glob`, `resolve`. */
const metaCallee = (callee: Expression): string | null =>
  callee.type === 'MemberExpression' && isImportMeta(callee.object) && callee.property.type === 'Identifier'
    ? callee.property.name
    : null

const isModule = (path: string): boolean => /\.(tsx?|m?js|css)$/.test(path)

/**
 * Every way in which a file names another module, for its values or its types alone: import, export from, import(), a type
 * out of import(), an addition to another module's types, globs one or several, require, a file beside it by its address.
 * `unread` has the lines where a module is named by what is only known while they run.
 */
export function importsOf(program: Program, text: string): { imports: Import[]; unread: number[] } {
  const imports: Import[] = []
  const unread: number[] = []
  const add = (node: Node, named: Node | null | undefined): void => {
    const line = text.slice(0, node.start).split('\n').length
    const specifier = literalOf(named)
    if (specifier === null) unread.push(line)
    // What a glob leaves out is no import.
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

/** Every style sheet, script, font and picture that a style sheet names; what is written into it is none. */
export function importsOfStyles(text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
  const named = /(?:@(?:import|plugin|config|reference)\s+|\burl\(\s*)(?:url\(\s*)?(['"]?)([^'")\s]+)\1/g
  return [...code.matchAll(named)]
    .filter(([, , specifier]) => !/^(data:|#)/.test(specifier as string))
    .map((match) => ({ specifier: match[2] as string, line: code.slice(0, match.index).split('\n').length }))
}
