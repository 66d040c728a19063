/** Error of the whole form; announced at once. */
export function Problem({ sentence }: { sentence: string | null | undefined }) {
  return (
    <div role="alert" className="empty:hidden rounded-[7px] bg-bad-wash px-3 py-2 text-bad">
      {sentence}
    </div>
  )
}
