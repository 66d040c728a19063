import { atom } from 'jotai/vanilla'
import { type Theme, themes } from '#kernel/command-host.ts'
import { store } from '#portal/platform/store.ts'

/** Also read by public/first.js before the first paint. */
const name = 'theme'

const stored = (): Theme => {
  try {
    const value = localStorage.getItem(name)
    return themes.find((theme) => theme === value) ?? 'system'
  } catch {
    return 'system'
  }
}

/** The chosen theme; `system` by default. */
export const themeAtom = atom<Theme>('system')

const draw = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Applies a theme and stores the choice in this browser. */
export function setTheme(theme: Theme): void {
  draw(theme)
  store.set(themeAtom, theme)
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // The choice then lives as long as the page.
  }
}

/** Applies the stored theme, and follows changes in other tabs. Returns the function that stops it. */
export function watchTheme(): () => void {
  const take = () => {
    const theme = stored()
    draw(theme)
    store.set(themeAtom, theme)
  }
  const listen = (event: StorageEvent) => {
    if (event.key === name || event.key === null) take()
  }
  take()
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}
