import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

// Writes every text that a person may read to a file, to proofread all of them at once: npm run words.
const places = ['src/portal/**/*.{ts,tsx}', 'commands/**/*.ts', 'src/{domain,contract,entities,kernel,server}/**/*.ts']
const target = process.argv[2] ?? '.cache/words.txt'

/** Attributes and calls whose text is not for people. */
const forMachines = /^(className|class|id|href|type|role|d|viewBox|fill|stroke|style|key|name|path|method|tag|autoComplete)$/

/** A text for people contains a letter and a space, or is a capitalized word. */
const forPeople = (text: string): boolean =>
  /\p{L}/u.test(text) &&
  (/\s/.test(text.trim()) || /^\p{Lu}\p{Ll}+\.?$/u.test(text.trim())) &&
  !/^(select|with|insert|update|#|\/)/i.test(text.trim())

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** The texts of a file in order, each with the line it starts on; placeholders in braces are filled in later. */
function textsOf(path: string): { line: number; text: string }[] {
  const source = readFileSync(path, 'utf8')
  const { program } = parseSync(path, source)
  const found: { start: number; text: string }[] = []
  const skip: [from: number, to: number][] = []
  const leaveOut = (node: Node) => skip.push([node.start, node.end])
  const add = (node: Node, text: string) => {
    const words = text.replace(/\s+/g, ' ').trim()
    if (forPeople(words)) found.push({ start: node.start, text: words })
  }
  new Visitor({
    ImportDeclaration: (node) => leaveOut(node as unknown as Node),
    TaggedTemplateExpression: (node) => leaveOut(node as unknown as Node),
    TSLiteralType: (node) => leaveOut(node as unknown as Node),
    ThrowStatement: (node) => {
      // Messages of internal errors are for developers.
      if (/^throw new (Error|TypeError|CannotStart)\(/.test(source.slice(node.start, node.end))) leaveOut(node as unknown as Node)
    },
    JSXAttribute: (node) => {
      const { name } = node as unknown as { name: { name: unknown } }
      if (forMachines.test(String(name.name)) || /^data-/.test(String(name.name))) leaveOut(node as unknown as Node)
    },
    JSXText: (node) => add(node as unknown as Node, node.value),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node as unknown as Node, node.value)
    },
    TemplateLiteral: (node) => {
      const parts = node.quasis.map((part) => part.value.cooked ?? part.value.raw)
      add(node as unknown as Node, parts.join('{…}'))
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
