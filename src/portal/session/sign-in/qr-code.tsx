import { useMemo } from 'react'
import { encode } from 'uqr'

/** A QR code as one SVG path; always dark on white, so that every camera reads it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { border: 4 })
    const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
    return { size, path }
  }, [text])
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className="size-44 justify-self-center"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" rx="1" />
      <path d={path} fill="#000" />
    </svg>
  )
}
