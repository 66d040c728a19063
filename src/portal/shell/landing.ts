import { later } from '#portal/ui/later.tsx'

/** The landing page if the API has one, loaded like a list: it needs nothing that loads after the first list. */
export const landing = later(async () => (await import('#portal/shell/landing-page.tsx')).Landing)

/** Whether an address is that of the landing page. */
export const isLanding = (pathname: string): boolean => pathname === '/dashboard'
