import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, type Span, Visitor } from 'oxc-parser'

// Writes every text that a person may read to a file, to proofread all of them at once: npm run words.
const places = ['src/portal/**/*.{ts,tsx}', 'commands/**/*.ts', 'src/{domain,contract,entities,kernel,server,terminal}/**/*.ts']
const target = process.argv[2] ?? '.cache/words.txt'

/** Attributes and calls whose text is not for people. */
const forMachines = /^(className|class|id|href|type|role|d|viewBox|fill|stroke|style|key|name|path|method|tag|autoComplete)$/

/** A text for people contains a letter and a space, or is a capitalized word. */
const forPeople = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  (/\s/.test(text.trim()) || /^\p{Lu}\p{Ll}+\.?$/u.test(text.trim())) &&
  !/^(select|with|insert|update|#|\/)/i.test(text.trim())

/** The texts of a file in order, each with the line it starts on; placeholders in braces are filled in later. */
function textsOf(path: string): { line: number; text: string }[] {
  const source = readFileSync(path, 'utf8')
  const { program } = parseSync(path, source)
  const found: { start: number; text: string }[] = []
  const skip: [from: number, to: number][] = []
  const leaveOut = ({ start, end }: Span) => void skip.push([start, end])
  const add = (node: Span, text: string) => {
    const words = text.replace(/\s+/g, ' ').trim()
    if (forPeople(words)) found.push({ start: node.start, text: words })
  }
  new Visitor({
    ImportDeclaration: (node) => leaveOut(node),
    TaggedTemplateExpression: (node) => leaveOut(node),
    TSLiteralType: (node) => leaveOut(node),
    ThrowStatement: (node) => {
      // Messages of internal errors are for developers.
      if (/^throw new (Error|TypeError|CannotStart)\(/.test(source.slice(node.start, node.end))) leaveOut(node)
    },
    JSXAttribute: (node) => {
      const name = source.slice(node.name.start, node.name.end)
      if (forMachines.test(name) || /^data-/.test(name)) leaveOut(node)
    },
    JSXText: (node) => add(node, node.value),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, node.value)
    },
    TemplateLiteral: (node) => {
      const parts = node.quasis.map((part) => part.value.cooked ?? part.value.raw)
      add(node, parts.join('{…}'))
    },
  }).visit(program)
  const lines = [...source.matchAll(/\n/g)].map((match) => match.index)
  return found
    .filter(({ start }) => !skip.some(([from, to]) => start >= from && start < to))
    .sort((one, other) => one.start - other.start)
    .map(({ start, text }) => ({ line: lines.filter((at) => at < start).length + 1, text }))
}

const files = [...new Set(places.flatMap((place) => globSync(place)))].sort()
let count = 0
const pages = files.flatMap((path) => {
  const texts = textsOf(path)
  count += texts.length
  return texts.length ? [`\n${path}`, ...texts.map(({ line, text }) => `  ${line}: ${text}`)] : []
})
mkdirSync(target.replace(/[^/]*$/, '') || '.', { recursive: true })
writeFileSync(target, `${pages.join('\n')}\n`)
console.log(`${count} texts of ${files.length} files are in ${target}`)
