import dashboard from '#portal/nouns/dashboard/dashboard.screen.tsx'
import { DrawnScreen } from '#portal/shell/drawn-screen.tsx'

/** The landing page, `/dashboard`. */
export const Landing = () => <DrawnScreen screen={dashboard} id={null} />
