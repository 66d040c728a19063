import { later } from '#portal/ui/later.tsx'

/** The first page where the API has one, fetched as a list is: it needs nothing of what comes after the first list. */
export const landing = later(async () => (await import('#portal/shell/landing-page.tsx')).Landing)

/** Whether an address is that of the first page. */
export const isLanding = (pathname: string): boolean => pathname === '/dashboard'
