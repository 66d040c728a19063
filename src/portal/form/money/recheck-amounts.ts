import type { z } from 'zod'
import { changes, type Command, type Seen } from '#kernel/command.ts'
import { fieldsOf } from '#kernel/form.ts'
import { comesTo, type MoneyLine, type MoneyLines } from '#kernel/money-lines.ts'
import type { Failure } from '#portal/form/session/failure.ts'
import type { Values } from '#kernel/form-values.ts'
import { apiClient } from '#portal/api/client.ts'

/**
 * The part of the sent and refused amounts that is still valid, by line, if the total is different now; null if it is not. Lines
 * that share a sum keep their amount as far as it is owed, other lines stay if they are still suggested: nothing goes to another
 * line. `now` is null if it could not be read.
 */
export function stillStanding(sent: MoneyLines, now: MoneyLines | null): { id: MoneyLine['id']; cents: number }[] | null {
  if (now && comesTo(sent) === comesTo(now)) return null
  return sent.lines.flatMap(({ id, moves }) => {
    const is = now?.lines.find((line) => line.id === id)
    const owed = now?.whole === undefined || moves < 0 ? is?.moves : Math.min(moves, is?.max ?? 0)
    const cents = (now ? owed : moves) ?? 0
    return moves !== 0 && cents !== 0 ? [{ id, cents }] : []
  })
}

/** What is left of a sent change after somebody else was faster. */
export interface RecheckResult {
  /** The other change, as a sentence. */
  moved?: string | null | undefined
  /** A sentence that asks to check the amounts, if needed. */
  look?: string | false | null | undefined
  /** What the user has to settle first, and the values of the amounts that are still valid. */
  stands?: Failure | null
}

/** The same with current facts; `target` is the current record. */
export async function recheckAmounts(
  command: Command,
  schema: z.ZodObject | null,
  params: Values,
  was: Seen<unknown, unknown>,
  target: unknown,
  together?: readonly unknown[],
): Promise<RecheckResult> {
  if (!changes(command) || !command.preview?.lines) return {}
  // Null if they cannot be read: then the difference is unknown.
  const facts = await command.facts?.read(target, apiClient.read, params, together).catch(() => null)
  const sent = command.preview.lines(was.target, params, was.facts)
  const now = facts === null ? null : command.preview.lines(target, params, facts)
  const left = sent && stillStanding(sent, now)
  const ofRows = (schema ? fieldsOf(schema) : []).find(({ kind }) => kind === 'rows')
  const typed = ofRows && (params[ofRows.name] as readonly Values[] | undefined)
  const rows = typed ? undefined : ofRows
  const money = rows?.columns.find(({ kind }) => kind === 'money')?.name ?? ''
  const isGone = typed?.some((item) => now && !now.lines.some(({ id }) => id === item[ofRows?.key ?? 'id']))
  const put = left?.map(({ id, cents }) => ({ [rows?.key ?? 'id']: id, [money]: cents }))
  const moved = facts === null ? null : command.facts?.conflict?.(params, was, { target, facts })
  const amountsOf = (of: readonly { id: MoneyLine['id']; cents: number }[]) =>
    JSON.stringify(of.filter(({ cents }) => cents !== 0))
  const isSame = left && amountsOf(left) === amountsOf(sent.lines.map(({ id, moves }) => ({ id, cents: moves })))
  return {
    moved,
    look: moved && !left && 'Nothing was sent. Look at it, then send again.',
    // Lines that are no longer available cannot be sent as shown.
    stands:
      left && isGone
        ? { sentence: 'Nothing was sent. What can no longer be sent is marked below.', detail: null }
        : left && {
            sentence: `Nothing was sent. ${typed || isSame ? 'The amounts below are those you sent, but they do something else now' : 'The amounts below are not those you sent'}: change one, or send them as shown.`,
            detail: null,
            stands: rows ? { [rows.name]: put } : {},
          },
  }
}
