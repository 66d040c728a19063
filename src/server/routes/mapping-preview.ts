import { previewMapping } from '#contract/mapping-preview.ts'
import { configurationsMissing } from '#domain/mapping.ts'
import { all, may } from '#domain/permissions.ts'
import { route } from '#server/http/route.ts'
import { notFound, Refused } from '#server/refused.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { comparedWith, hasConfiguration } from '#server/tables/mapping-preview.ts'

export const routes = [
  route(previewMapping, async ({ tx, actor, body: { employer_id: employer, by, lines } }) => {
    if (!(await oneEmployer(tx, actor, employer))) throw notFound()
    if (!(await hasConfiguration(tx, employer))) throw new Refused(409, 'configurations-missing', configurationsMissing)
    return comparedWith(tx, employer, by, lines, { wages: may(actor.held, all('read:wages')) === 'yes' })
  }),
]
