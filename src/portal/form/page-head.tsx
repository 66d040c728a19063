/** Header of a page in the palette: its subject, title, and what it needs. */
export function PageHead({ chip, title, aside, id }: { chip: string | null; title: string; aside?: string; id?: string }) {
  return (
    <div className="flex h-12 flex-none items-center gap-2 border-b border-line px-3.5 text-title">
      {chip && (
        <span className="inline-flex h-6 max-w-[45%] min-w-0 shrink-0 items-center rounded-md bg-accent-wash px-2 text-[12.5px] font-[550] text-accent">
          <span className="truncate">{chip}</span>
        </span>
      )}
      <h2 id={id} className="truncate font-[550]">
        {title}
      </h2>
      {aside && <span className="ml-auto shrink-0 text-small text-muted">{aside}</span>}
    </div>
  )
}
