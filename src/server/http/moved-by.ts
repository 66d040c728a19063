import type { AnyEndpoint, AnyIntent } from '#contract/define.ts'
import type { Context } from '#server/http/route.ts'
import type { MoneyMovement } from '#server/tables/ledger.ts'

/** The person who moves money in a change, and the wording of the history of the touched invoices. */
export const movementOf = (
  { tx, actor, now, later, key, command, intent }: Context<AnyEndpoint> & { intent: AnyIntent },
  text?: string | null,
): MoneyMovement => ({
  tx,
  mover: actor,
  intent: intent.id,
  event: intent.event,
  text: text ?? null,
  key: key ?? null,
  command: command ?? null,
  now,
  later,
})
