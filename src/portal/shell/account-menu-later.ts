import { later } from '#portal/ui/later.tsx'
import { withEverything } from '#portal/platform/bundle.ts'

/** The menu of the person, fetched when somebody points at its button or presses it. */
export const accountMenu = later(async () => (await withEverything(import('#portal/shell/account-menu.tsx'))).default)
