/** What events are called on the wire where that is no word for people. */
const words: Record<string, string> = {
  CREATE: 'Created',
  DEACTIVATE: 'Deactivated',
  address_changed: 'Address changed',
}

/** The words for what an event's status tells; one that nobody knows is shown as it came. */
export const eventWords = (status: string): string => (Object.hasOwn(words, status) ? (words[status] as string) : status)
