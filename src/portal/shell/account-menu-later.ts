import { later } from '#portal/ui/later.tsx'
import { withEverything } from '#portal/platform/bundle.ts'

/** The account menu, loaded when its button is hovered or pressed. */
export const accountMenu = later(async () => (await withEverything(import('#portal/shell/account-menu.tsx'))).default)
