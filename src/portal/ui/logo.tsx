/** The logo with the name of the product. */
export function Logo() {
  return (
    <div className="flex items-center gap-2 font-semibold tracking-[-.01em]">
      <i className="logo" aria-hidden="true" />
      <span className="logo-name">Admin Portal</span>
    </div>
  )
}
