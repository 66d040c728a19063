import type { ReactNode } from 'react'
import { Logo } from '#portal/ui/logo.tsx'

/** The card that every screen before the workspace uses. */
export function Door({ title, text, children }: { title: string; text?: ReactNode; children?: ReactNode }) {
  return (
    <main className="door">
      <title>{`${title} - Admin Portal`}</title>
      <section className="card" aria-labelledby="door-title">
        <Logo />
        <div>
          <h1 id="door-title">{title}</h1>
          {text && <p className="text-muted">{text}</p>}
        </div>
        {children}
      </section>
    </main>
  )
}
