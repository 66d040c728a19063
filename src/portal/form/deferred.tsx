import { Loading, LoadingForm, NotLoaded, PageHead } from '#portal/form/page-lines.tsx'
import { chooser } from '#portal/form/fields/deferred.ts'
import { linesField } from '#portal/form/money/deferred.ts'
import { type Later, later, useLater } from '#portal/ui/later.tsx'

const bulkForm = later(async () => (await import('#portal/form/palette/bulk-form.tsx')).BulkForm)
const runPage = later(async () => (await import('#portal/form/palette/run-page.tsx')).RunPage)
const pastedPage = later(async () => (await import('#portal/form/palette/pasted-page.tsx')).PastedPage)
const historyPage = later(async () => (await import('#portal/form/palette/history-page.tsx')).HistoryPage)
const favouritesPage = later(async () => (await import('#portal/form/palette/favourites-page.tsx')).FavouritesPage)
const placesPage = later(async () => (await import('#portal/form/palette/places-page.tsx')).PlacesPage)
/** The commands gained and lost by a change of rights. */
export const commandsChanged = later(async () => (await import('#portal/form/preview/commands-changed.tsx')).CommandsChanged)

const fetchStale = () => import('#portal/form/palette/stale.ts')
/** What to show if somebody else was faster; prefetched with the rest, since the network may be gone by then. */
export const resolveStale = async (...about: Parameters<typeof import('#portal/form/palette/stale.ts').resolveStale>) =>
  (await fetchStale()).resolveStale(...about)

type PropsOf<L> = L extends Later<infer P> ? P : never

/** A page of the palette in a chunk of its own; if it fails to load, the page says so and can retry. */
function LaterPage<P extends object>(page: { of: Later<P>; title: string; props: P; form?: boolean }) {
  const { of, title, props, form } = page
  const { Component, failed, again } = useLater(of)
  if (Component) return <Component {...props} />
  return (
    <>
      <PageHead chip={null} title={title} />
      {failed ? (
        <NotLoaded what="A part of the portal could not be loaded. Check the network." again={again} />
      ) : form ? (
        <LoadingForm what="Loading" />
      ) : (
        <Loading what="Loading" />
      )}
    </>
  )
}

// Pages for bulk commands and their results, loaded after the palette and the forms of one record.
export const BulkForm = (props: PropsOf<typeof bulkForm>) => (
  <LaterPage of={bulkForm} title={props.command.title} props={props} form />
)
export const RunPage = (props: PropsOf<typeof runPage>) => <LaterPage of={runPage} title="Run" props={props} />
export const PastedPage = (props: PropsOf<typeof pastedPage>) => <LaterPage of={pastedPage} title="Pasted ids" props={props} />
export const HistoryPage = () => <LaterPage of={historyPage} title="Session activity" props={{}} />
export const PlacesPage = () => <LaterPage of={placesPage} title="Recent places" props={{}} />

export const FavouritesPage = () => <LaterPage of={favouritesPage} title="Favourites" props={{}} />

/** Prefetches the chunks; one that fails is fetched again when it is rendered. */
export const loadDeferred = (): void => {
  for (const page of [
    chooser,
    bulkForm,
    runPage,
    historyPage,
    placesPage,
    favouritesPage,
    pastedPage,
    linesField,
    commandsChanged,
  ])
    page.fetch().catch(() => {})
  fetchStale().catch(() => {})
}
