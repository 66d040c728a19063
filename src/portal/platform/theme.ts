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

/** The theme the person chose; `system` until then. */
export const themeAtom = atom<Theme>('system')

const draw = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Draws a theme and keeps the choice in this browser. */
export function setTheme(theme: Theme): void {
  draw(theme)
  store.set(themeAtom, theme)
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // The choice lives as long as the page.
  }
}

/** Takes up the kept theme, and follows a choice made in another tab. Returns what stops it. */
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
