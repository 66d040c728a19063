import { Logo } from '#portal/ui/logo.tsx'

/** Shown while the portal is unavailable; it recovers by itself (SCR-074), or at once by `again`. */
export function Downtime({ again }: { again: () => void }) {
  return (
    <main className="door">
      <title>We're making some improvements - Admin Portal</title>
      <section className="card" aria-labelledby="door-title">
        <Logo />
        <div role="status">
          <h1 id="door-title">We're making some improvements</h1>
          <p className="text-muted">Admin Portal is away for a moment. This page tries again by itself every few seconds.</p>
        </div>
        <button type="button" className="btn" onClick={again}>
          Try now
        </button>
      </section>
    </main>
  )
}
