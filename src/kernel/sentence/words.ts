/** A word as typed; one in quotes may have spaces. */
export interface Word {
  text: string
  /** The field before the colon of `reason: called back`. */
  name?: string
  quoted?: true
}

/** Whether a word is neither in quotes nor a value with its name. */
export const isPlain = ({ name, quoted }: Word): boolean => !name && !quoted

// An id before a colon is no name: `reject WOF-70001: duplicate`.
const token = /(?:(?!\p{L}+-?\d{3,}:)([\p{L}][\p{L}\p{N}_-]*):(?!\/\/))?(?:"([^"]*)"|(\S+))?/guy

/** Splits a sentence into words: quotes keep several together, `name:value` names the field of a value. */
export function wordsIn(sentence: string): Word[] {
  const words: Word[] = []
  for (let at = 0; at < sentence.length; ) {
    token.lastIndex = at
    const [all = '', name, quoted, plain = ''] = token.exec(sentence) ?? []
    if (all) words.push({ text: quoted ?? plain, ...(name ? { name } : {}), ...(quoted === undefined ? {} : { quoted: true }) })
    at += all.length || 1
  }
  return words
}

/** A comma behind a record, as a word of its own. */
export const comma = /^,$/

/** The words behind others, of which the last one may end in a comma. */
export const wordsBehind = (words: readonly Word[], count: number): readonly Word[] => {
  const rest = words.slice(count)
  return rest.length && words[count - 1]?.text.endsWith(',') ? [{ text: ',' }, ...rest] : rest
}

/** A word as it was typed. */
export const written = ({ name, text }: Word): string => (name ? `${name}:${text}` : text)

/** Words that lead to the name of a record, and are no part of it. */
export const leadsToName = /^(?:at|by|for|of|on|to|with)$/i

/** Words between a command or its record and the record that a field refers to; `and` is one behind a record of a list. */
export const joint = /^(?:to|for|of|at|with|and|against)$/i

/** Maximum number of words in the name of a record before or between other words of a sentence. */
export const maxNameWords = 3

/** Numbers of words to try: from a maximum down to one. */
export const countDown = (max: number): number[] => [...Array(Math.max(max, 0)).keys()].map((less) => max - less)
