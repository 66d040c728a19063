import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { type Import, importsOf, importsOfStyles } from '#tests/architecture/imports.ts'

/** An exported function, and whether it has a docstring. */
export interface PublicFunction {
  name: string
  line: number
  documented: boolean
}

/** A file as the rules read it. */
export interface Source {
  /** Relative to the root of the project, with forward slashes. */
  path: string
  text: string
  lines: number
  imports: Import[]
  /** Lines that import a module whose name is only known at run time. */
  unread: number[]
  functions: PublicFunction[]
  /** Whether the file has only imports and re-exports. */
  onlyReExports: boolean
  exportsAll: boolean
}

const isFunction = (node: { type: string } | null | undefined): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression'

/** Parses a file for the rules. */
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
    // For an overloaded function, the docstring is on the first signature.
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

/** Temporary folders of another test that runs at the same time. */
export const temporaryFolders = ['tests/support/sample-*/**']

/** Every source that matches the patterns. */
export const sourcesOf = (...patterns: string[]): Source[] =>
  globSync(patterns, { exclude: temporaryFolders })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => readSource(path, readFileSync(path, 'utf8')))
