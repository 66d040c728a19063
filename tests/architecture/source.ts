import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { type Import, importsOf, importsOfStyles } from '#tests/architecture/imports.ts'

/** An exported function, and whether a docstring stands above it. */
export interface PublicFunction {
  name: string
  line: number
  documented: boolean
}

/** What the rules read of one file. */
export interface Source {
  /** From the root of the project, with slashes. */
  path: string
  text: string
  lines: number
  imports: Import[]
  /** Lines that name a module by what is only known while they run. */
  unread: number[]
  functions: PublicFunction[]
  /** Nothing but imports and exports of other files' things. */
  onlyReExports: boolean
  exportsAll: boolean
}

const isFunction = (node: { type: string } | null | undefined): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

/** Reads one file's text as the rules see it. */
export function readSource(path: string, text: string): Source {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (path.endsWith('.css'))
    return {
      path,
      text,
      lines,
      imports: importsOfStyles(text),
      unread: [],
      functions: [],
      onlyReExports: false,
      exportsAll: false,
    }
  const { program, comments, errors } = parseSync(path, text)
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const documentedAt = (start: number) =>
    comments.some(
      (comment) =>
        comment.type === 'Block' &&
        comment.value.startsWith('*') &&
        comment.end <= start &&
        text.slice(comment.end, start).trim() === '',
    )

  const found = new Map<string, PublicFunction>()
  const add = (name: string, start: number) => {
    const before = found.get(name)
    // Of an overloaded function the first signature carries the docstring.
    found.set(name, { name, line: before?.line ?? lineAt(start), documented: before?.documented === true || documentedAt(start) })
  }
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportDefaultDeclaration') continue
    const declaration = statement.declaration
    if (declaration?.type === 'FunctionDeclaration' || declaration?.type === 'TSDeclareFunction') {
      add(declaration.id?.name ?? 'default', statement.start)
    } else if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations)
        if (id.type === 'Identifier' && isFunction(init)) add(id.name, statement.start)
    } else if (isFunction(declaration)) add('default', statement.start)
  }

  const reExports = program.body.filter(
    (statement) =>
      statement.type === 'ExportAllDeclaration' || (statement.type === 'ExportNamedDeclaration' && !statement.declaration),
  )
  return {
    path,
    text,
    lines,
    ...importsOf(program, text),
    functions: [...found.values()],
    onlyReExports:
      reExports.length > 0 &&
      program.body.every((statement) => statement.type === 'ImportDeclaration' || reExports.includes(statement)),
    exportsAll: program.body.some((statement) => statement.type === 'ExportAllDeclaration'),
  }
}

/** Folders that another test makes and removes while these are read. */
export const passing = ['tests/support/sample-*/**']

/** Every source that these patterns name. */
export const sourcesOf = (...patterns: string[]): Source[] =>
  globSync(patterns, { exclude: passing })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => readSource(path, readFileSync(path, 'utf8')))
