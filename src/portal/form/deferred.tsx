import { type ComponentProps, lazy, Suspense } from 'react'

const bulkForm = () => import('#portal/form/bulk-form.tsx')
const runPage = () => import('#portal/form/run-page.tsx')
const historyPage = () => import('#portal/form/history-page.tsx')

const Bulk = lazy(async () => ({ default: (await bulkForm()).BulkForm }))
const Run = lazy(async () => ({ default: (await runPage()).RunPage }))
const History = lazy(async () => ({ default: (await historyPage()).HistoryPage }))

/** What is done over several rows, and what was done: fetched after the palette and the forms of one row. */
export const BulkForm = (props: ComponentProps<typeof Bulk>) => (
  <Suspense fallback={null}>
    <Bulk {...props} />
  </Suspense>
)
export const RunPage = (props: ComponentProps<typeof Run>) => (
  <Suspense fallback={null}>
    <Run {...props} />
  </Suspense>
)
export const HistoryPage = () => (
  <Suspense fallback={null}>
    <History />
  </Suspense>
)

/** Fetches them ahead; one that does not come is fetched again where it is drawn. */
export const loadDeferred = (): void => {
  for (const fetch of [bulkForm, runPage, historyPage]) fetch().catch(() => {})
}
