/** The subject of commands, shown before the field. */
export function Chip({ children }: { children: string }) {
  return (
    <span className="inline-flex h-6 max-w-[50%] min-w-20 items-center rounded-md bg-accent-wash px-2 text-[12.5px] font-[550] text-accent">
      <span className="truncate">{children}</span>
    </span>
  )
}
