import { later } from '#portal/ui/later.tsx'
import type { AnyPane } from '#portal/list/pane.ts'
import { panes } from '#portal/list/panes.ts'

/** The record page, loaded after the first list. */
export const detail = later(async () => (await import('#portal/record/detail.tsx')).Detail)

/** The record beside the open one. */
export const besideRecord = later<object>(async () => (await import('#portal/record/beside-record.tsx')).BesideRecord)

/** Prefetches the code of records, so that opening one does not wait for it. */
export const loadDetail = (): Promise<unknown> =>
  Promise.all([detail.fetch(), ...(panes() as AnyPane[]).flatMap((pane) => pane.tabs.map((tab) => tab.body.fetch()))])
