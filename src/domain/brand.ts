/** The brands of the service, each with the hue of its small mark (CARD-009). */
export const brands = [
  { id: 'DAYLINE', name: 'Dayline', hue: 250 },
  { id: 'EARLYBIRD', name: 'Earlybird', hue: 40 },
  { id: 'BRIGHTPAY', name: 'Brightpay', hue: 155 },
] as const

/** The brand with this id; an unknown one is shown by its id. */
export const brandOf = (id: string): { id: string; name: string; hue: number | null } =>
  brands.find((brand) => brand.id === id) ?? { id, name: id, hue: null }
