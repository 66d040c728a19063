import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { HistoryEvent } from '#contract/history.ts'
import { notOffered } from '#kernel/availability.ts'
import { dateAndTime } from '#portal/format/dates.ts'
import { type ReadFailure, NotReadLine, notRead } from '#portal/record/beside.tsx'
import { EventDetails, undoWords } from '#portal/record/event-details.tsx'
import { clearHistoryFilters, HistoryFilters, useEventFilters, useHistoryFilters } from '#portal/record/history-filters.tsx'
import { useNewer } from '#portal/records/use-query.ts'
import { Waiting } from '#portal/record/waiting.tsx'
import type { AnyPane } from '#portal/list/pane.ts'
import { eventWords } from '#domain/employee-event.ts'
import { paneAtom } from '#portal/list/panes.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'
import { apiClient } from '#portal/api/client.ts'

interface Loaded {
  events: readonly HistoryEvent[]
  lek: string | null
}

const perPage = '50'

/** The events of a record, newest first, page by page; refetched when its version or the filter changes. */
function useEvents(pane: AnyPane, id: string, version: number, filter: string) {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [problem, setProblem] = useState<ReadFailure | null>(null)
  const [round, setRound] = useState(0)
  const { events: endpoint } = pane.entity

  const read = useCallback(
    async (lek: string | null, signal: AbortSignal) => {
      if (!endpoint) return
      try {
        const query = { limit: perPage, ...Object.fromEntries(new URLSearchParams(filter)), ...(lek === null ? {} : { lek }) }
        const answer = (await apiClient.read(endpoint, { id }, query, { signal, background: lek === null })) as Loaded
        if (signal.aborted) return
        setProblem(null)
        setLoaded((now) => ({
          events: lek === null ? answer.events : [...(now?.events ?? []), ...answer.events],
          lek: answer.lek,
        }))
      } catch (error) {
        if (signal.aborted) return
        setProblem(notRead(error, 'The history could not be loaded.'))
      }
    },
    [endpoint, id, filter],
  )

  // Aborts the first page and those after it: another filter has other pages.
  const current = useRef(new AbortController())
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version and a retry fetch again
  useEffect(() => {
    const control = new AbortController()
    current.current = control
    void read(null, control.signal)
    return () => control.abort()
  }, [read, version, round])

  const more = () => void read(loaded?.lek ?? null, current.current.signal)
  return { loaded, problem, more, again: () => setRound((now) => now + 1) }
}

/** The tab History of every noun that has events (SCR-044). */
export function HistoryBody({ one }: { one: unknown }) {
  const pane = useAtomValue(paneAtom, { store }) as AnyPane
  const supports = useAtomValue(capabilitiesAtom, { store })
  if (!pane.entity.events || !supports(pane.entity.events)) return <p className="text-muted">{notOffered}</p>
  const id = pane.entity.id(one)
  return <Events key={id} pane={pane} one={one} />
}

function Events({ pane, one }: { pane: AnyPane; one: unknown }) {
  const [id, version] = [pane.entity.id(one), pane.entity.version(one)]
  const filters = useEventFilters(pane.entity)
  const { set, query } = useHistoryFilters(filters)
  const { loaded, problem, more, again } = useEvents(pane, id, version, new URLSearchParams(query).toString())
  useNewer(pane.entity, one, Math.max(0, ...(loaded?.events ?? []).map((event) => event.version)))
  const narrowed = Object.keys(query).length > 0
  return (
    <>
      {filters.length > 0 && <HistoryFilters entity={pane.entity.name} id={id} set={set} />}
      {problem && <NotReadLine {...problem} again={again} />}
      {!loaded && !problem && <Waiting lines={9} />}
      {loaded?.events.length === 0 && !narrowed && <p className="text-muted">Nothing has happened yet.</p>}
      {loaded?.events.length === 0 && narrowed && (
        <p className="flex items-center gap-2 text-muted">
          No events match.
          <button type="button" className="btn" onClick={() => clearHistoryFilters(pane.entity.name, id)}>
            Clear the filters
          </button>
        </p>
      )}
      <ol className="events">
        {loaded?.events.map((event) => (
          <li key={event.id}>
            <p>
              <strong className="font-[550]">{eventWords(event.status, event.category) + undoWords(event)}</strong>
              <span className="text-muted">
                <bdi>{event.actor.name}</bdi>, <time dateTime={event.at}>{dateAndTime(event.at)}</time>
              </span>
            </p>
            <EventDetails event={event} words={pane.words} />
          </li>
        ))}
      </ol>
      {loaded?.lek && (
        <button type="button" className="btn mt-3" onClick={more}>
          Show more
        </button>
      )}
    </>
  )
}
