import type { z } from 'zod'
import { dashboardLines, getSummary, plotNeeds, type Summary } from '#contract/dashboard.ts'
import { invoiceAgeNames } from '#domain/dashboard.ts'
import { may } from '#domain/permissions.ts'
import { route } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import { type Figure, figuresFor, roundOfFigures } from '#server/tables/dashboard.ts'

type Plots = z.infer<typeof Summary>['plots']
const none = { count: 0, amount: 0 }

export const routes = [
  route(getSummary, async ({ tx, actor }) => {
    const round = await roundOfFigures(tx)
    const figures = round ? await figuresFor(tx, actor) : []
    const of = (measure: string): Figure[] =>
      figures.filter((each) => each.measure === measure).sort((a, b) => (a.part < b.part ? -1 : 1))
    const mine = dashboardLines.filter(({ needs }) => may(actor.held, needs) === 'yes')
    const lines = mine.map(({ id, amount }) => {
      const [figure = none] = of(id)
      return { id, count: figure.count, amount: amount ? figure.amount : null }
    })
    const where = <T>(plot: keyof Plots, made: () => T): T | null => (may(actor.held, plotNeeds[plot]) === 'yes' ? made() : null)
    return {
      age_seconds: round?.age_seconds ?? null,
      business_date: round?.business_date ?? (await businessDate(tx)),
      lines: round ? lines : [],
      plots: {
        ages: where('ages', () => {
          const ages = of('age')
          return invoiceAgeNames.map((age) => {
            const { count, amount } = ages.find(({ part }) => part === age) ?? none
            return { age, count, amount }
          })
        }),
        advances: where('advances', () => of('advances').map(({ part: date, count, amount }) => ({ date, count, amount }))),
        recovery: where('recovery', () => {
          const recovered = new Map(of('recovered').map(({ part, amount }) => [part, amount]))
          return of('billed').map(({ part: week, amount: billed_amount }) => ({
            week,
            billed_amount,
            recovered_amount: recovered.get(week) ?? 0,
          }))
        }),
      },
    }
  }),
]
