import { parseSync, Visitor } from 'oxc-parser'
import { titlesOf } from './test-titles.ts'

// Words and phrases of a private dialect: each was read in several senses. `words` are matched whole, in any case.
const words = [
  'told',
  'foretold',
  'anew',
  'meant',
  'untaken',
  'begun',
  'whoever',
  'so many',
  'at hand',
  'is to be',
  'what stands',
  'is of',
]
const refused = new RegExp(`\\b(${words.join('|')})\\b`, 'gi')
const bound = /^(most|least|longest)[A-Z]/

/** Maximum length of a test title, not counting the ids of the checklist in brackets. */
const maxTitle = 90

const wordsOf = (text: string): string[] => [...text.matchAll(refused)].map(([word]) => word.toLowerCase())

/** `maxTitle`, `Max_title`, `#maxTitle` as 'max title'. */
const spoken = (name: string): string => name.replaceAll('_', ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2')

interface Reading {
  comments: { text: string; at: number }[]
  names: { text: string; at: number }[]
  titles: { title: string; at: number }[]
}

// biome-ignore lint/suspicious/noExplicitAny: any node of the syntax tree
type Node = any

function read(path: string, text: string): Reading {
  const { program, comments } = parseSync(path, text)
  const found: Reading = {
    comments: comments.map(({ value, start }) => ({ text: value, at: start })),
    names: [],
    titles: titlesOf(program),
  }
  const name = ({ name: word, start }: Node) => found.names.push({ text: word, at: start })
  new Visitor({
    Identifier: name,
    PrivateIdentifier: name,
    JSXIdentifier: name,
  }).visit(program)
  return found
}

/**
 * Refused words in the comments, names and test titles of a source, or in a document (`.md`), and test titles that are too long.
 * Each as `path:line word`.
 */
export function vocabularyFaults(path: string, text: string): string[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  if (path.endsWith('.md')) {
    // Code in a document names what is checked in the code, and a quote may be of a screen or of somebody else.
    const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '))
    return [...prose.matchAll(refused)].map(({ 0: word, index }) => `${path}:${lineAt(index)} ${word.toLowerCase()}`)
  }
  const { comments, names, titles } = read(path, text)
  const seen = new Set<string>()
  const faults: string[] = []
  const add = (at: number, what: string) => faults.push(`${path}:${lineAt(at)} ${what}`)
  for (const comment of comments) for (const word of wordsOf(comment.text)) add(comment.at, word)
  for (const { title, at } of titles) {
    for (const word of wordsOf(title)) add(at, `${word} (title)`)
    const length = title.replace(/^(\[[^\]]*\] ?)+/, '').length
    if (length > maxTitle) add(at, `title of ${length} characters`)
  }
  for (const { text: word, at } of names) {
    if (seen.has(word)) continue
    seen.add(word)
    if (bound.test(word) || wordsOf(spoken(word)).length > 0) add(at, `${word} (name)`)
  }
  return faults
}
