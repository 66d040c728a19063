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

// The palette before its code is here: a field that takes text from the first frame, which the workspace takes over (`takeEarly`
// in `key-queue.ts`). Other keys, and those after Enter in the field, are kept for the workspace in their order, until there is
// something else to type in. So no letter of a search counts as the key of a row because the Ctrl+K before it came too early.
{
  const element = (name, attributes) => {
    const made = document.createElement(name)
    for (const each in attributes) made.setAttribute(each, attributes[each])
    return made
  }
  const early = []
  const palette = element('div', { 'data-early': '' })
  const veil = element('div', { class: 'veil z-40' })
  const sheet = element('div', {
    role: 'dialog',
    'aria-modal': 'true',
    'aria-label': 'Command palette',
    class: 'sheet fixed top-[11vh] left-1/2 z-40 w-[660px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden',
  })
  const field = element('input', {
    'aria-label': 'Type a command, a name or an id',
    autocomplete: 'off',
    'data-ahead': '',
    class: 'block h-12 w-full bg-transparent px-3.5 text-[15px] outline-none',
  })
  sheet.append(field)
  palette.append(veil, sheet)
  veil.addEventListener('mousedown', () => palette.remove())
  field.addEventListener('compositionstart', () => (field.dataset.composing = 'yes'))
  field.addEventListener('compositionend', () => delete field.dataset.composing)

  /** Keys of the field; all others write in it. */
  const inField = (event) => {
    const again = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (again || /^(Enter|Tab|Escape)$/.test(event.key)) event.preventDefault()
    if (event.key === 'Enter' && field.value.trim() && !event.repeat) return true
    if (!again && event.key !== 'Escape') return false
    if (field.value) field.value = ''
    else palette.remove()
    return false
  }
  const stop = () => removeEventListener('keydown', keep, true)
  const keep = (event) => {
    const { key, code, keyCode, metaKey, shiftKey, timeStamp: at } = event
    // A sign that AltGr makes, or Option of a Mac, is text, though Ctrl and Alt are told with it.
    const sign = key.length === 1 && event.getModifierState('AltGraph')
    const [ctrlKey, altKey] = [event.ctrlKey && !sign, event.altKey && !sign]
    if (document.querySelector('form')) return stop()
    if (event.isComposing || keyCode === 229) return
    if (key === 'Escape') early.length = 0
    if (palette.isConnected && !early.length && !inField(event)) return
    if (key === 'Escape' || altKey || event.repeat || early.length >= 100) return
    const opens = (ctrlKey || metaKey) && key.toLowerCase() === 'k'
    if (opens || key === '/' || (palette.isConnected && !ctrlKey && !metaKey)) event.preventDefault()
    if (opens && !early.length && document.body) {
      document.body.append(palette)
      field.focus()
    } else if (opens || (!ctrlKey && !metaKey && (key.length === 1 || /^(Enter|Backspace|Arrow.*)$/.test(key))))
      early.push({ key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey, at })
  }
  addEventListener('keydown', keep, true)
  globalThis.takeEarlyKeys = () => {
    stop()
    return early.splice(0)
  }
}
