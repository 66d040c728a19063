import { dashboardLines, getSummary, plotNeeds, type Summary } from '#contract/dashboard.ts'
import { type InvoiceAge, invoiceAgeNames } from '#domain/dashboard.ts'
import { may } from '#domain/permissions.ts'
import { route } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { type Figure, figuresFor, roundOfFigures } from '#server/tables/dashboard.ts'

type Plots = Summary['plots']
const none = { count: 0, amount: 0 }

export const routes = [
  route(getSummary, async ({ tx, actor }) => {
    const round = await roundOfFigures(tx)
    const figures = round ? await figuresFor(tx, actor) : []
    const of = (measure: string): Figure[] =>
      figures.filter((each) => each.measure === measure).sort((a, b) => (a.part < b.part ? -1 : 1))
    const lines: Summary['lines'] = {}
    for (const { id, needs, amount } of round ? dashboardLines : []) {
      if (may(actor.held, needs) !== 'yes') continue
      const [figure = none] = of(id)
      lines[id] = { count: figure.count, amount: amount ? figure.amount : null }
    }
    const where = <T>(plot: keyof Plots, made: () => T): T | null => (may(actor.held, plotNeeds[plot]) === 'yes' ? made() : null)
    return {
      counted_at: round?.counted_at.toISOString() ?? null,
      business_date: round?.business_date ?? (await businessDate(tx)),
      lines,
      plots: {
        ages: where('ages', () => agesIn(of('age'))),
        advances: where('advances', () => of('advances').map(({ part: date, count, amount }) => ({ date, count, amount }))),
        recovery: where('recovery', () => recoveryIn(of('billed'), of('recovered'))),
        imports: where('imports', () => importsIn(of('imports'), of('imports-failed'))),
      },
    }
  }),
]

const agesIn = (figures: readonly Figure[]): NonNullable<Plots['ages']> => {
  const { count, amount } = none
  const ages = Object.fromEntries(invoiceAgeNames.map((age) => [age, { count, amount }])) as NonNullable<Plots['ages']>
  for (const { part, count, amount } of figures) ages[part as InvoiceAge] = { count, amount }
  return ages
}

const recoveryIn = (billed: readonly Figure[], recovered: readonly Figure[]): NonNullable<Plots['recovery']> => {
  const paid = new Map(recovered.map(({ part, amount }) => [part, amount]))
  return billed.map(({ part: week, amount: billed_amount }) => ({
    week,
    billed_amount,
    recovered_amount: paid.get(week) ?? 0,
  }))
}

const importsIn = (arrived: readonly Figure[], failed: readonly Figure[]): NonNullable<Plots['imports']> => {
  const failures = new Map(failed.map(({ part, count }) => [part, count]))
  return arrived.map(({ part: date, count }) => ({ date, count, failed: failures.get(date) ?? 0 }))
}
