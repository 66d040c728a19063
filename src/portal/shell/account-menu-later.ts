import { later } from '#portal/panes/later.tsx'

/** The menu of the person, fetched after the first list. */
export const accountMenu = later(async () => (await import('#portal/shell/account-menu.tsx')).default)
