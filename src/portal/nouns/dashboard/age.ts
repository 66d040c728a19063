import { figuresAge } from '#domain/dashboard.ts'

/** Seconds after which the figures count as late: one more update interval. */
const late = 2 * figuresAge

/** The age of figures as text, which says if they are late. Times in milliseconds. */
export function ageOf(countedAt: string, now: number): { words: string; late: boolean } {
  // The clocks of server and browser may differ.
  const seconds = Math.max(0, Math.round((now - Date.parse(countedAt)) / 1000))
  const far =
    seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`
  return seconds > late
    ? { words: `Updated ${far} ago: the update is late`, late: true }
    : { words: `Updated ${far} ago, updates every ${figuresAge} s`, late: false }
}
