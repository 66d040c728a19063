import { PageHead } from '#portal/form/page-head.tsx'
import { Loading, NotLoaded } from '#portal/form/page-lines.tsx'
import { chooser } from '#portal/form/fields/deferred.ts'
import { linesField } from '#portal/form/money/deferred.ts'
import { type Later, later, useLater } from '#portal/ui/later.tsx'

const bulkForm = later(async () => (await import('#portal/form/bulk-form.tsx')).BulkForm)
const runPage = later(async () => (await import('#portal/form/run-page.tsx')).RunPage)
const pastedPage = later(async () => (await import('#portal/form/pasted-page.tsx')).PastedPage)
const historyPage = later(async () => (await import('#portal/form/history-page.tsx')).HistoryPage)
/** Which commands come and go with the rights that somebody is given. */
export const commandsChanged = later(async () => (await import('#portal/form/commands-changed.tsx')).CommandsChanged)

const fetchStale = () => import('#portal/form/stale.ts')
/** What to tell where somebody else was faster; it comes ahead with the rest, since the network may be gone by then. */
export const resolveStale = async (...about: Parameters<typeof import('#portal/form/stale.ts').resolveStale>) =>
  (await fetchStale()).resolveStale(...about)

type PropsOf<L> = L extends Later<infer P> ? P : never

/** A page of the palette that comes in a chunk of its own; one that does not arrive says so, and is fetched again on demand. */
function LaterPage<P extends object>({ of, title, props }: { of: Later<P>; title: string; props: P }) {
  const { Component, failed, again } = useLater(of)
  if (Component) return <Component {...props} />
  return (
    <>
      <PageHead chip={null} title={title} />
      {failed ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={again} />
      ) : (
        <Loading what="Loading" />
      )}
    </>
  )
}

// What is done over several rows, and what was done: fetched after the palette and the forms of one row.
export const BulkForm = (props: PropsOf<typeof bulkForm>) => <LaterPage of={bulkForm} title={props.command.title} props={props} />
export const RunPage = (props: PropsOf<typeof runPage>) => <LaterPage of={runPage} title="Run" props={props} />
export const PastedPage = (props: PropsOf<typeof pastedPage>) => <LaterPage of={pastedPage} title="Pasted ids" props={props} />
export const HistoryPage = () => <LaterPage of={historyPage} title="Session activity" props={{}} />

/** Fetches them ahead; one that does not come is fetched again where it is drawn. */
export const loadDeferred = (): void => {
  for (const page of [chooser, bulkForm, runPage, historyPage, pastedPage, linesField, commandsChanged])
    page.fetch().catch(() => {})
  fetchStale().catch(() => {})
}
