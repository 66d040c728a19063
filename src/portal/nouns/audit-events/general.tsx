import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { AuditEvent } from '#contract/audit-events.ts'
import type { SavedView } from '#contract/views.ts'
import { auditKindWords } from '#domain/audit.ts'
import { eventWords } from '#domain/employee-event.ts'
import { audienceLabels } from '#domain/shared-view.ts'
import { capitalize } from '#domain/text.ts'
import { auditedRecord } from '#entities/audit-event.ts'
import { withList } from '#entities/with-list.ts'
import { registeredAtom } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { filterText } from '#portal/format/filter-text.ts'
import { readFilters } from '#portal/list/filters.ts'
import type { AnyPane } from '#portal/list/pane.ts'
import { loadPane, panes } from '#portal/list/panes.ts'
import { commandCode, commandWords } from '#portal/nouns/audit-events/words.ts'
import { changeWords, eachOf, oneOf } from '#portal/nouns/change-words.ts'
import { realChanges } from '#portal/record/event-details.tsx'
import { Fact, Facts } from '#portal/record/fact.tsx'
import { RowTable } from '#portal/record/row-table.tsx'
import { RecordLink } from '#portal/record/record-link.tsx'

/** What a shared view shows, by its address: 'Invoices, Status is Overdue, sorted by due date'. */
function shownWords(address: unknown): string {
  const [path = '', query] = String(address).split('?')
  const noun = withList.find((each) => each.path === path)
  const search = new URLSearchParams(query)
  const filters = readFilters(noun?.filters ?? [], search, new Set()).map((filter) => filterText(filter).join(' '))
  const [sort, columns] = [search.get('sort'), search.get('columns')]
  return [
    capitalize(noun?.many ?? path),
    ...filters,
    ...(sort ? [`sorted by ${sort.replaceAll('_', ' ')}`] : []),
    ...(columns ? [`with ${columns.split(',').length} columns`] : []),
  ].join(', ')
}

/** The texts for entities without a list: sign-ins, saved views and shared views. */
export const otherWords = changeWords(
  { title: 'Name' },
  {},
  { views: eachOf(({ title }: SavedView) => title), shows: shownWords, shared_with: eachOf(oneOf(audienceLabels)) },
)

/** The texts of the event's noun, which load with its list; null until then. */
function useWords(entity: string): AnyPane['words'] | null {
  const [, setThere] = useState(false)
  const noun = withList.find(({ name }) => name === entity)
  const pane = panes().find((each) => each.entity.name === entity) as AnyPane | undefined
  useEffect(() => {
    if (!noun || pane) return
    let here = true
    void loadPane(noun.path.slice(1)).then(
      () => here && setThere(true),
      () => {},
    )
    return () => {
      here = false
    }
  }, [noun, pane])
  return noun ? (pane?.words ?? null) : otherWords
}

/** The tab General of an event: who, when, by which command, on what; and each field before and after. */
export function AuditGeneral({ one }: { one: AuditEvent }) {
  const words = useWords(one.entity)
  // Commands have their titles once loaded.
  useAtomValue(registeredAtom, { store })
  const noun = withList.find(({ name }) => name === one.entity)
  return (
    <>
      <Facts title="Event">
        <Fact name="Event">{eventWords(one.status, one.category)}</Fact>
        <Fact name={auditKindWords(one.entity)}>
          {noun ? (
            <RecordLink entity={noun} id={one.entity_id}>
              {one.entity_name ?? one.entity_id}
            </RecordLink>
          ) : (
            (one.entity_name ?? one.entity_id)
          )}
        </Fact>
        <Fact name="Person">{one.actor.name}</Fact>
        <Fact name="When">{dateAndTime(one.at)}</Fact>
        <Fact name="Command" hint={commandCode(one)}>
          {commandWords(one)}
        </Fact>
      </Facts>
      {one.text && (
        <>
          <h3>Text</h3>
          <p className="whitespace-pre-line">{one.text}</p>
        </>
      )}
      <h3>Changes</h3>
      {words && (
        <RowTable
          label={`What changed of ${auditedRecord(one)}`}
          rows={realChanges(one.changes, words)}
          columns={[
            { title: 'Field', cell: ({ field }) => words.field(field) },
            { title: 'Before', cell: ({ field, before }) => words.value(field, before) },
            { title: 'After', cell: ({ field, after }) => words.value(field, after) },
          ]}
          idOf={({ field }) => field}
          none="No field changed."
        />
      )}
    </>
  )
}
