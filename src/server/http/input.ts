import type { z } from 'zod'
import { intentOf } from '#contract/define.ts'
import '#contract/sentences.ts'
import { Refused, invalid } from '#server/http-error.ts'
import type { ReadyIntent, ReadyRoute } from '#server/http/route.ts'

/** Maximum depth: deeper than any body of the contract, and shallow enough for every recursion. */
const maxDepth = 32

/** Parses a part of a request; `where` prefixes the field names of path and query parameters. */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw invalid(
    read.error.issues.slice(0, 20).map((issue) => ({
      path: issue.path.map(String).join('.') || ('keys' in issue ? issue.keys.join(', ').slice(0, 200) : ''),
      message: issue.message.slice(0, 500),
    })),
  )
}

/** Text that PostgreSQL cannot store (NUL, lone surrogates), and control characters that nobody types or sees. */
const hasControl = (text: string): boolean => !text.isWellFormed() || /[^\P{Cc}\t\n\r]/u.test(text)

/** Refuses text with control characters, and bodies that are nested too deeply. */
export function refuseUnstorable(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string') {
    if (hasControl(value)) throw invalid([{ path, message: 'Control characters are not allowed.' }])
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= maxDepth) throw new Refused(400, 'malformed-request', 'The body is nested too deeply.')
  for (const [name, item] of Object.entries(value)) {
    refuseUnstorable(name, path, depth)
    refuseUnstorable(item, path ? `${path}.${name}` : name, depth + 1)
  }
}

/** Selects the intent of a body; 422 when none matches, naming the field that decides. */
export function chooseIntent(route: ReadyRoute, body: unknown): ReadyIntent {
  const intents = route.intents.map((ready) => ready.intent)
  const chosen = intentOf(intents, body)
  const ready = route.intents.find((candidate) => candidate.intent === chosen)
  if (ready) return ready
  const fields = [...new Set(intents.flatMap((intent) => Object.keys(intent.fixed)))]
  throw invalid(
    fields.map((path) => ({
      path,
      message: `Must be one of: ${[...new Set(intents.map((intent) => intent.fixed[path]))].filter((value) => value !== undefined).join(', ')}`,
    })),
  )
}

/** An optional header; if present, it must be printable and within a length. */
export function printable(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
  maxLength: number,
): string | null {
  const value = headers[name]
  if (value === undefined) return null
  if (typeof value !== 'string' || value.length === 0 || value.length > maxLength || !/^[\x20-\x7e]+$/.test(value))
    throw new Refused(400, 'malformed-request', `The header ${name} takes 1 to ${maxLength} printable characters.`)
  return value
}
