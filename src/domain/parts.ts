/** An object of a history in words, field by field: `start date 2026-11-02, end date 2026-11-08`; `text` writes a value of a field. */
export const partsText = (whole: object, text: (field: string, value: unknown) => string): string =>
  Object.entries(whole)
    .map(([field, value]) => `${field.replaceAll('_', ' ')} ${text(field, value)}`)
    .join(', ')
