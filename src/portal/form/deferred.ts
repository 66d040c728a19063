import { later } from '#portal/panes/later.tsx'

/** What is done over several rows, and what was done: fetched after the palette and the forms of one row. */
export const bulkForm = later(async () => (await import('#portal/form/bulk-form.tsx')).BulkForm)
export const runPage = later(async () => (await import('#portal/form/run-page.tsx')).RunPage)
export const historyPage = later(async () => (await import('#portal/form/history-page.tsx')).HistoryPage)

/** Fetches them ahead; one that does not come is fetched again where it is drawn. */
export const loadDeferred = (): void => {
  for (const part of [bulkForm, runPage, historyPage]) part.fetch().catch(() => {})
}
