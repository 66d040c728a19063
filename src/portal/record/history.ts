import { later } from '#portal/ui/later.tsx'
import type { Tab } from '#portal/list/pane.ts'

/** The tab History of every noun that has one (SCR-044). */
// biome-ignore lint/suspicious/noExplicitAny: it reads no field of a noun
export const historyTab: Tab<any> = {
  id: 'history',
  title: 'History',
  body: later(async () => (await import('#portal/record/history-tab.tsx')).HistoryBody),
}
