/** The first focusable element of a section or a field; the hash of the address may name either. */
export const firstIn = (form: HTMLElement | null, name: string): HTMLElement | undefined => {
  const parts = [...(form?.querySelectorAll<HTMLElement>('[data-section], [data-field]') ?? [])]
  return stopsOf(parts.find(({ dataset }) => dataset['section'] === name || dataset['field'] === name) ?? null)[0]
}

/** Fields and buttons in tab order: of a radio group the checked button, or the first. */
export const stopsOf = (within: HTMLElement | null): HTMLElement[] =>
  [
    ...(within?.querySelectorAll<HTMLElement>(
      '.page-row :is(input, select, textarea, button:is(.field, .field-add), [role=switch]), .page-confirm input',
    ) ?? []),
  ].filter((stop) => {
    if (!(stop instanceof HTMLInputElement) || stop.type !== 'radio' || stop.checked) return true
    const group = [...(stop.closest('.page-row')?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [])]
    return group[0] === stop && !group.some(({ checked }) => checked)
  })
