import { type Later, later } from '#portal/ui/later.tsx'

/** The tab History of every noun that has events (SCR-044). */
// biome-ignore lint/suspicious/noExplicitAny: it reads no field of a noun
export const history: Later<{ one: any }> = later(async () => (await import('#portal/record/history-tab.tsx')).HistoryBody)
