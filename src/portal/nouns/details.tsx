import { parameterOf } from '#contract/define.ts'
import type { Detail, Details } from '#contract/details.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { Column } from '#portal/list/pane.ts'
import { dates, plain } from '#portal/nouns/columns.tsx'
import { oneOf } from '#portal/nouns/change-words.ts'
import { Fact } from '#portal/record/fact.tsx'

/** The value of a detail, `yyyy-MM-dd` for a date. */
type Value = string | null | undefined

/** A record with values for details; null for those that are unknown, missing in another API or masked. */
type Detailed<All extends Details> = { readonly [Name in keyof All]?: Value }

/** The value of a detail as shown everywhere: a code as its label, a dash if there is none. */
const detailText = ({ kind, labels }: Detail, value: Value): string =>
  kind === 'date' ? shortDate(value) : orDash(value && (labels[value] ?? value))

/** The columns of details; `more` has what differs for one, by its name. A column is named like its detail, `pay_code` as `pay-code`. */
export const detailColumns = <const All extends Details>(
  details: All,
  more: { readonly [Name in keyof All]?: Partial<Column<Detailed<All>>> } = {},
): Column<Detailed<All>>[] =>
  Object.entries<Detail>(details).map(([name, detail]) => {
    const { kind, title, needs } = detail
    const id = parameterOf(name)
    const own = { ...(needs ? { needs } : {}), ...more[name] }
    if (kind === 'date') return dates(id, title, (one) => one[name], own)
    return plain(id, title, 104, (one) => detailText(detail, one[name]), { long: kind === 'text', ...own })
  })

/** Details of a record as facts, for a list of facts. */
export const DetailFacts = <const All extends Details>({ of: details, one }: { of: All; one: Detailed<All> }) =>
  Object.entries<Detail>(details).map(([name, detail]) => (
    <Fact key={name} name={detail.title}>
      {detailText(detail, one[name])}
    </Fact>
  ))

/** The titles of details in a history, by name. */
export const detailTitles = (details: Details): Record<string, string> =>
  Object.fromEntries(Object.entries(details).map(([name, { title }]) => [name, title]))

/** The formatters of choices in a history, by name. */
export const detailValues = (details: Details): Record<string, (value: unknown) => string> =>
  Object.fromEntries(
    Object.entries(details).flatMap(([name, { kind, labels }]) => (kind === 'choice' ? [[name, oneOf(labels)]] : [])),
  )
