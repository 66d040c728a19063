// Before the first paint: the theme that was chosen by command, kept as 'light' or 'dark'; without one, the system's.
let noStorage = false
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  noStorage = true
}

// The policy of the page allows no eval: zod reads here, before its first schema, that it may not compile any.
globalThis.__zod_globalConfig = { jitless: true }

// What the portal needs of a browser, judged by what it has and not by its name. Where something is missing one sentence says so
// in the place of the page: it was read by then, and no module has run. Without its root `main.tsx` does nothing.
{
  const parts = [Map.groupBy, URL.parse, Element.prototype.checkVisibility, globalThis.ResizeObserver]
  let why = ''
  if (parts.some((part) => !part) || !CSS.supports('color', 'light-dark(#000, #fff)'))
    why = 'Admin Portal needs a newer browser: Chromium, Firefox or Safari of the last two years.'
  else if (!isSecureContext) why = 'Admin Portal needs a secure connection: open it at an address that begins with https.'
  else if (noStorage) why = 'Admin Portal needs to keep data in this browser: allow it for this site.'
  const say = () => {
    const door = document.createElement('main')
    door.className = 'door'
    const card = document.createElement('p')
    card.className = 'card'
    card.textContent = why
    door.append(card)
    document.body.replaceChildren(door)
  }
  if (why) document.addEventListener('readystatechange', say, { once: true })
}

// What is pressed before the workspace can answer it, which takes it up in its order (`key-queue.ts`), until there is something
// to type in. So no letter of a search counts as the key of a row because the Ctrl+K before it came too early.
{
  const early = []
  const stop = () => removeEventListener('keydown', keep, true)
  const keep = (event) => {
    const { key, code, keyCode, metaKey, shiftKey, timeStamp: at } = event
    // A sign that AltGr makes, or Option of a Mac, is text, though Ctrl and Alt are told with it.
    const sign = key.length === 1 && event.getModifierState('AltGraph')
    const [ctrlKey, altKey] = [event.ctrlKey && !sign, event.altKey && !sign]
    if (document.querySelector('form')) stop()
    else if (key === 'Escape') early.length = 0
    else if (!altKey && !event.isComposing && !event.repeat && early.length < 100) {
      const palette = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
      if (palette || key === '/') event.preventDefault()
      if (palette || (!ctrlKey && !metaKey && (key.length === 1 || /^(Enter|Backspace|Arrow.*)$/.test(key))))
        early.push({ key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey, at })
    }
  }
  addEventListener('keydown', keep, true)
  globalThis.takeEarlyKeys = () => {
    stop()
    return early.splice(0)
  }
}
