const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A date without a time is a day here, not midnight in Greenwich. */
export const dayOf = (date: string): Date => new Date(date.length === 10 ? `${date}T00:00` : date)

// Written by hand: every list shows dates, and date-fns is fetched only after the first one.
/** A day as people read it: `14 Mar 2023`. */
export const dayText = (day: Date): string => `${day.getDate()} ${months[day.getMonth()]} ${day.getFullYear()}`
