import type { CSSProperties } from 'react'
import { brandOf } from '#domain/brand.ts'

/** A brand's name with its icon (CARD-009). */
export function BrandMark({ brand }: { brand: string }) {
  const { name, hue } = brandOf(brand)
  const style = hue === null ? undefined : ({ '--brand': `oklch(65% .15 ${hue})` } as CSSProperties)
  return (
    <span className="brand" style={style}>
      {name}
    </span>
  )
}

/** A brand among other facts. */
export const brandMark = (brand: string) => <BrandMark brand={brand} />
