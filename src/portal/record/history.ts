import { type Later, later } from '#portal/ui/later.tsx'

/** The tab History of every noun that has events (SCR-044). */
// biome-ignore lint/suspicious/noExplicitAny: a record of any noun; no field of it is read
export const history: Later<{ one: any }> = later(async () => (await import('#portal/record/history-tab.tsx')).HistoryBody)
