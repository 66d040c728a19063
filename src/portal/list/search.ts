import { changeSearch, searchDebounce } from '#portal/list/filters.ts'

let timer: ReturnType<typeof setTimeout> | undefined

/** Searches the list when nothing was typed for 500 ms (CONST-006); the address follows at once then. */
export function typeSearch(q: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => searchNow(q), searchDebounce)
}

/** Searches the list now. */
export function searchNow(q: string): void {
  clearTimeout(timer)
  changeSearch({ q: q.trim() === '' ? null : q.trim() }, 0)
}
