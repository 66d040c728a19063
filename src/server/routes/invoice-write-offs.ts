import type { z } from 'zod'
import { listInvoiceWriteOffs, suggestWriteOffs } from '#contract/write-offs.ts'
import { formatCents } from '#domain/money.ts'
import { validateRoom, validateSuggestion, writeOffReasonLabels } from '#domain/write-off.ts'
import { existing, invalid } from '#server/http-error.ts'
import { byId, type ChangeOf, changing, route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { deductionChanged, lockWithDeduction } from '#server/tables/deductions.ts'
import { type InvoiceRow, invoiceSnapshot, oneInvoice, saveInvoice, toInvoice } from '#server/tables/invoices.ts'
import {
  type SuggestedLine,
  insertWriteOffs,
  linesToWriteOff,
  pendingAmountOf,
  toWriteOff,
  writeOffSnapshot,
  writeOffsOf,
} from '#server/tables/write-offs.ts'

type Suggestion = z.infer<typeof suggestWriteOffs.body>['suggestions'][number]

/** Validates every suggestion against its line; one refusal refuses all, each with the path of its field (WOF-001). */
async function validateAll(tx: Tx, invoice: InvoiceRow, suggestions: readonly Suggestion[]): Promise<Map<number, SuggestedLine>> {
  const ids = suggestions.map((one) => one.line_id)
  const [found, pending] = await Promise.all([linesToWriteOff(tx, invoice, ids), pendingAmountOf(tx, invoice)])
  const lines = new Map(found.map((line) => [line.id, line]))
  let total = pending
  const errors: { path: string; message: string }[] = []
  for (const [at, suggestion] of suggestions.entries()) {
    const line = lines.get(suggestion.line_id)
    if (!line) errors.push({ path: `suggestions.${at}.line_id`, message: 'This invoice has no such line.' })
    else if (suggestions.findIndex((one) => one.line_id === line.id) < at)
      errors.push({ path: `suggestions.${at}.line_id`, message: `${line.employee_name} is chosen twice.` })
    else {
      total += suggestion.amount
      const refusal =
        validateSuggestion({ amount: suggestion.amount, reason: suggestion.reason, comment: suggestion.details }, line) ??
        validateRoom(total, invoice)
      if (refusal) errors.push({ path: `suggestions.${at}.amount`, message: refusal.sentence })
    }
  }
  if (errors.length > 0) throw invalid(errors)
  return lines
}

const maxNamed = 10

/** The suggestions as text, for the history of the invoice. */
function inWords(suggestions: readonly Suggestion[], lines: Map<number, SuggestedLine>): string {
  const named = suggestions
    .slice(0, maxNamed)
    .map(
      ({ line_id, amount, reason }) =>
        `${lines.get(line_id)?.employee_name}: ${formatCents(amount)}, ${writeOffReasonLabels[reason]}`,
    )
  const more = suggestions.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

/** Stores the suggestions, each with the first event of its own history; returns their ids. */
async function suggest({ tx, actor, subject, now, key, command }: ChangeOf<InvoiceRow>, suggestions: readonly Suggestion[]) {
  const ids = await insertWriteOffs(tx, actor, subject, suggestions, now)
  const stored = (await writeOffsOf(tx, actor, subject)).filter((writeOff) => ids.includes(writeOff.id))
  const recorded = stored.map((writeOff) =>
    recordEvent(tx, {
      actor,
      intent: suggestWriteOffs.id,
      command: command,
      entity: 'write-off',
      entityId: String(writeOff.id),
      status: suggestWriteOffs.event,
      text: writeOff.details,
      after: writeOffSnapshot(writeOff),
      version: writeOff.version,
      idempotencyKey: key,
    }),
  )
  await Promise.all(recorded)
  return stored
}

export const routes = [
  route(listInvoiceWriteOffs, async ({ tx, actor, params }) => {
    const invoice = existing(await oneInvoice(tx, actor, params.id))
    return { write_offs: (await writeOffsOf(tx, actor, invoice)).map(toWriteOff) }
  }),

  changing({
    locate: byId('invoices'),
    subject: ({ tx, actor, params, located }) => lockWithDeduction(tx, actor, located ?? params.id),
    entity: 'invoice',
    snapshot: (invoice: InvoiceRow) => ({ ...invoiceSnapshot(invoice), pending_write_offs: invoice.pending_write_offs }),
    facts: async ({ subject }) => toInvoice(subject),
  })(suggestWriteOffs, async (context) => {
    const { tx, actor, subject, now } = context
    const { suggestions } = context.body
    const lines = await validateAll(tx, subject, suggestions)
    const writeOffs = await suggest(context, suggestions)
    const [, , after] = await Promise.all([
      saveInvoice(tx, subject, {}, now),
      deductionChanged(tx, subject, now),
      oneInvoice(tx, actor, subject),
    ])
    return {
      after: after as InvoiceRow,
      answer: { write_offs: writeOffs.map(toWriteOff) },
      text: inWords(suggestions, lines),
    }
  }),
]
