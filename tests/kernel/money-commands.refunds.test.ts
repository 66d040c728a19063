import { afterAll, beforeAll, expect, test } from 'vitest'
import refund from '#commands/invoice/refund.ts'
import reopen from '#commands/invoice/reopen.ts'
import rollover from '#commands/invoice/rollover.ts'
import type { Invoice } from '#contract/invoices.ts'
import { biller, moneyHost } from '#tests/kernel/money-host.ts'
import { leaveDraft, newDebtor } from '#tests/support/billing.ts'
import { createInvoice, setRolloverPercentage } from '#tests/support/money.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'

let server: TestServer
let host: ReturnType<typeof moneyHost>
beforeAll(async () => {
  server = await createServer()
  host = moneyHost(server, await personWith(server, biller))
})
afterAll(() => server.close())

/** An invoice that is overpaid by $40.00 and was reopened; $10.00 of it paid a draft, which therefore absorbs no refund. */
async function reopened() {
  const { employerId, organizationId } = await newDebtor(server)
  await setRolloverPercentage(server.db, { organizationId }, 1000)
  const { id } = await createInvoice(server.db, { employerId, original: 100_00, status: 'CLOSED', paid: 150_00 })
  const draft = await createInvoice(server.db, { employerId, original: 10_00, status: 'DRAFT' })
  await host.execute(rollover, id, { amount: 10_00 }, employerId)
  await host.execute(reopen, id, {}, employerId)
  return { employerId, id, draftId: draft.id }
}

test('a refund of a reopened invoice with used credit has no undo: it could not be reopened', async () => {
  const { employerId, id, draftId } = await reopened()
  await leaveDraft(server, draftId)
  const done = await host.execute(refund, id, { amount: 20_00 }, employerId)
  expect(await host.undoOf(refund, done)).toEqual({ sentence: 'Refund overpayment cannot be undone.' })
  expect(await host.read<Invoice>(refund, id)).toMatchObject({ status: 'REFUND_IN_PROGRESS', outstanding_amount: -20_00 })
})

test('a refund can be undone until credit is used after it', async () => {
  const { employerId, id, draftId } = await reopened()
  const undone = await host.execute(refund, id, { amount: 20_00 }, employerId)
  expect(await host.undo(refund, undone)).toMatchObject({ kind: 'done', after: { status: 'SENT', outstanding_amount: -40_00 } })
  const done = await host.execute(refund, id, { amount: 20_00 }, employerId)
  await leaveDraft(server, draftId)
  expect(await host.undoOf(refund, done)).toEqual({ sentence: 'Refund overpayment cannot be undone.' })
})
