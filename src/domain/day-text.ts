const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A date without a time is a local day, not midnight in UTC. */
export const dayOf = (date: string): Date => new Date(date.length === 10 ? `${date}T00:00` : date)

// Hand-written, because every list shows dates and date-fns is loaded only after the first one.
/** A day for people: `14 Mar 2023`. */
export const dayText = (day: Date): string => `${day.getDate()} ${months[day.getMonth()]} ${day.getFullYear()}`
