import type { ReactNode } from 'react'

/** A place with nothing to show: what it is, and what to do next. */
export function Notice({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <title>{`${title} - Admin Portal`}</title>
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="max-w-[420px] text-muted">{text}</p>
      {children}
    </div>
  )
}
