import { DrawnScreen } from '#portal/shell/drawn-screen.tsx'
import { later } from '#portal/ui/later.tsx'
import { screenAt } from '#portal/ui/screens.ts'

/** Whether an address is that of the landing page. */
export const isLanding = (pathname: string): boolean => pathname === '/dashboard'

/** The landing page if the API has one, loaded like a list: it needs nothing that loads after the first list. */
export const landing = later(async () => {
  const screen = await screenAt('/dashboard')?.load()
  if (!screen || 'form' in screen) throw new Error('The landing page is missing.')
  return () => <DrawnScreen screen={screen} id={null} />
})
