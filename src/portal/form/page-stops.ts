/** Where the focus goes first in a section, or in a field: an address may end with the name of either. */
export const firstIn = (form: HTMLElement | null, name: string): HTMLElement | undefined => {
  const parts = [...(form?.querySelectorAll<HTMLElement>('[data-section], [data-field]') ?? [])]
  return stopsOf(parts.find(({ dataset }) => dataset['section'] === name || dataset['field'] === name) ?? null)[0]
}

/** Fields and buttons in the order of Tab: of a choice the one that is set, or the first. */
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
