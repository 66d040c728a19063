import { Logo } from '#portal/ui/logo.tsx'
import { startUp } from '#portal/state/start-up.ts'

/** Stands in for the portal while it cannot be used; it comes back by itself (SCR-074). */
export function Downtime() {
  return (
    <main className="door">
      <title>We're making some improvements - Admin Portal</title>
      <section className="card" aria-labelledby="door-title">
        <Logo />
        <div role="status">
          <h1 id="door-title">We're making some improvements</h1>
          <p className="text-muted">Admin Portal is away for a moment. This page tries again by itself every few seconds.</p>
        </div>
        <button type="button" className="btn" onClick={() => void startUp()}>
          Try now
        </button>
      </section>
    </main>
  )
}
