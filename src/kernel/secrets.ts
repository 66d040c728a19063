import type { z } from 'zod'
import { withoutSecrets } from '#contract/secrets.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { HistoryEntry } from '#kernel/history.ts'

/**
 * The parameters of a command less its secrets: what may be stored, repeated and put into links. `form` is the one they come
 * from; without it, if only that form could identify the secrets, nothing is kept.
 */
export function keptParams(
  command: Command,
  params: Record<string, unknown>,
  form?: z.ZodObject | null,
): Record<string, unknown> {
  const schema = command.form?.schema
  const asked = form ?? (typeof schema === 'function' ? null : schema)
  if (typeof schema === 'function' && !asked) return {}
  const bodies = changes(command) ? command.does.map((intent) => intent.body) : []
  return [asked, ...bodies].reduce<unknown>((left, schema) => (schema ? withoutSecrets(schema, left) : left), params) as never
}

/** A history entry without secrets: in the parameters, the answers, and the record before and after. */
export function keptEntry<Entry extends Pick<HistoryEntry, 'params' | 'before' | 'after' | 'answers' | 'rows'>>(
  command: Command,
  entry: Entry,
  form?: z.ZodObject | null,
): Entry {
  const answerSchemas = [...(changes(command) ? command.does.map((intent) => intent.endpoint.answer as z.ZodType) : [])]
  if (command.on) answerSchemas.push(command.on.schema)
  const safe = (value: unknown): unknown => answerSchemas.reduce<unknown>((left, schema) => withoutSecrets(schema, left), value)
  const done = (one: { before: unknown; after: unknown; answers: readonly unknown[] }) => ({
    before: safe(one.before),
    after: safe(one.after),
    answers: one.answers.map(safe),
  })
  return {
    ...entry,
    ...done(entry),
    params: keptParams(command, entry.params, form),
    ...(entry.rows ? { rows: entry.rows.map(done) } : {}),
  }
}
