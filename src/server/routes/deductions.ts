import {
  approveDeduction,
  confirmDeduction,
  countDeductions,
  deliverDeduction,
  downloadDeductionFile,
  getDeduction,
  listDeductionEvents,
  listDeductions,
  maxFilePreviewed,
  previewDeductionFile,
} from '#contract/deductions.ts'
import { afterConfirmation, validateWithheld } from '#domain/deduction.ts'
import { type DeductionFile, deductionFile, fileOf } from '#server/documents/deduction-file.ts'
import { deliverDeductionOf } from '#server/money/deductions/deliver.ts'
import { invalid, orNotFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { ewaFile } from '#server/documents/ewa-file.ts'
import { reads } from '#server/http/reads.ts'
import { byId, changing, route } from '#server/http/route.ts'
import type { Tx } from '#server/tables/database.ts'
import { deductionList } from '#server/tables/deduction-list.ts'
import {
  type LockedDeduction,
  approveDeductionOf,
  confirmLines,
  deductionSnapshot,
  lockDeduction,
  oneDeduction,
  saveDeduction,
  toDeduction,
} from '#server/tables/deductions.ts'

const open = orNotFound(oneDeduction)

/** A step of a deduction: it is locked, then its invoice. */
const step = changing({
  entity: 'deduction',
  locate: byId('deductions'),
  subject: ({ tx, actor, params, located }) => lockDeduction(tx, actor, located ?? params.id),
  snapshot: deductionSnapshot,
  answer: toDeduction,
})

const readAgain = async (tx: Tx, actor: Actor, { id, invoice }: LockedDeduction) => ({
  after: { ...(await open(tx, actor, id)), invoice },
})

interface Confirmation {
  line_id: number
  withheld_amount: number
}

/** Refuses lines that are not in the file, duplicates, and amounts above the requested ones. */
function validateConfirmations(confirmations: readonly Confirmation[], file: DeductionFile): void {
  const lines = new Map(file.lines.map((line) => [line.id, line]))
  const seen = new Set<number>()
  const errors = confirmations.flatMap(({ line_id, withheld_amount }, at) => {
    const line = lines.get(line_id)
    if (!line) return [{ path: `confirmations.${at}.line_id`, message: 'The file of this deduction has no such line.' }]
    if (seen.has(line_id))
      return [{ path: `confirmations.${at}.line_id`, message: `${line.first_name} ${line.last_name} is named twice.` }]
    seen.add(line_id)
    const refusal = validateWithheld(withheld_amount, line)
    return refusal ? [{ path: `confirmations.${at}.withheld_amount`, message: refusal.sentence }] : []
  })
  if (errors.length > 0) throw invalid(errors.slice(0, maxErrors))
}

const maxErrors = 200

export const routes = [
  ...reads(
    { list: listDeductions, count: countDeductions, get: getDeduction, history: listDeductionEvents },
    { list: deductionList, open, answer: toDeduction, entity: 'deduction' },
  ),

  route(downloadDeductionFile, async ({ tx, actor, params, now }) => {
    const deduction = await open(tx, actor, params.id)
    const { name, type, content } = await ewaFile(tx, deduction, now)
    return new File([content], name, { type })
  }),

  route(previewDeductionFile, async ({ tx, actor, params }) => {
    const { name, mapped, head, rows } = await fileOf(tx, await open(tx, actor, params.id))
    return { name, mapped, head, rows: rows.slice(0, maxFilePreviewed), lines: rows.length }
  }),

  step(approveDeduction, async ({ tx, actor, subject, now, key, command }) => ({
    after: await approveDeductionOf(tx, actor, subject, now, { key, command }),
  })),

  step(deliverDeduction, async ({ tx, actor, subject, now }) => {
    await deliverDeductionOf(tx, actor, subject, now)
    return readAgain(tx, actor, subject)
  }),

  step(confirmDeduction, async ({ tx, actor, subject, body, now }) => {
    const file = await deductionFile(tx, subject)
    validateConfirmations(body.confirmations, file)
    const confirmed = await confirmLines(tx, subject, body.confirmations)
    // With multiple files, the last one is the one that leaves nobody unconfirmed.
    const last = subject.confirmation_flow !== 'MULTIPLE' || file.lines.every((line) => confirmed.has(line.id))
    await saveDeduction(
      tx,
      subject,
      {
        status: afterConfirmation(last),
        confirmations: subject.confirmations + 1,
        confirmed_at: last ? now : null,
      },
      now,
    )
    return readAgain(tx, actor, subject)
  }),
]
