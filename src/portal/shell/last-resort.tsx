import { Component, type ReactNode } from 'react'

interface Props {
  children: ReactNode
  /** Changes with the content: an earlier failure is then retried. */
  about: string
}

/** Error boundary: says what broke, and offers a way on instead of an empty page (ERR-048). */
export class LastResort extends Component<Props, { broken: string | null; about: string }> {
  override state = { broken: null as string | null, about: this.props.about }

  static getDerivedStateFromError(error: unknown) {
    return { broken: error instanceof Error ? error.message : String(error) }
  }

  static getDerivedStateFromProps(props: Props, state: { about: string }) {
    return props.about === state.about ? null : { about: props.about, broken: null }
  }

  override render() {
    if (this.state.broken === null) return this.props.children
    return (
      <div className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center" role="alert">
        <title>Something went wrong - Admin Portal</title>
        <h1 className="text-title font-semibold">Something went wrong</h1>
        <p className="max-w-[420px] text-muted">This part could not be drawn: {this.state.broken}</p>
        <button type="button" className="btn" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    )
  }
}
