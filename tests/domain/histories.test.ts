import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysPastDue, derivedStatesOf, type InvoiceStatus, invoiceStatuses, isOverdue, moves } from '#domain/invoice.ts'
import { reconciliationOf } from '#domain/repayment.ts'
import { type Chance, type StepName, stepNames, steps } from '#tests/domain/steps.ts'
import { broken, World } from '#tests/domain/world.ts'

type Step = Chance & { name: StepName }

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...stepNames),
  who: fc.nat({ max: 100 }),
  share: fc.oneof(fc.constant(100), fc.integer({ min: -20, max: 130 })),
  way: fc.nat({ max: 100 }),
})
const history = fc.array(step, { minLength: 1, maxLength: 200, size: 'max' })

/** A world with something in it, so that a short history too has something to move. */
function begin(): World {
  const world = new World()
  world.issue(10_001, 10_000, 1)
  world.issue(3_333, 500, 1)
  world.issue(77_777, null, 1)
  return world
}

function play(world: World, { name, ...chance }: Step): void {
  world.done = []
  world.moved = []
  steps[name](world, chance)
}

describe('a random history of one debtor', () => {
  test('[INV-018, INV-019, INV-021, CONST-009] keeps identity, conservation, table and life at every step', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        const world = begin()
        for (const each of drawn) {
          play(world, each)
          expect(broken(world)).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('[INV-013, INV-014, INV-015] derives what amounts and dates say', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        const world = begin()
        for (const each of drawn) play(world, each)
        for (const invoice of world.invoices) {
          const facts = world.facts(invoice)
          const derived = derivedStatesOf(facts, world.today)
          const owes = facts.outstanding_amount > 0
          expect(derived.includes('OVERPAID')).toBe(facts.outstanding_amount < 0)
          expect(derived.includes('OVERPAID') && (derived.includes('OVERDUE') || derived.includes('UNDERPAID'))).toBe(false)
          expect(daysPastDue(facts, world.today) > 0).toBe(isOverdue(facts, world.today))
          if (invoice.status === 'CLOSED') expect(derived.includes('UNDERPAID')).toBe(owes)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('[REP-001, REP-002, REP-003] reconciles a repayment only when all of it is there and allocated', () => {
    fc.assert(
      fc.property(history, (drawn) => {
        const world = begin()
        for (const each of drawn) play(world, each)
        for (const repayment of world.repayments) {
          const there = !repayment.failed && repayment.ach_state !== 'PENDING' && repayment.unallocated_amount === 0
          const said = reconciliationOf(repayment)
          expect(said === 'RECONCILED').toBe(there)
          expect(said === 'FAILED').toBe(repayment.failed)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('the histories are rich: every status is reached, every move made, every action done', () => {
    const reached = new Set<InvoiceStatus>()
    const made = new Set<string>()
    const done = new Set<string>()
    for (const drawn of fc.sample(history, { seed: 7, numRuns: 3_000 })) {
      const world = begin()
      for (const each of drawn) {
        play(world, each)
        for (const { from, to } of world.moved) made.add(`${from} ${to}`)
        for (const { action } of world.done) done.add(action)
      }
      for (const { status } of world.invoices) reached.add(status)
    }
    expect(invoiceStatuses.filter((status) => !reached.has(status))).toEqual([])
    const known = new Set(moves.map(({ from, to }) => `${from} ${to}`))
    expect([...known].filter((move) => !made.has(move))).toEqual([])
    expect(done.size).toBe(14)
  })
})
