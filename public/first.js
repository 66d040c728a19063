// Before the first paint: the theme that was chosen by command, kept as 'light' or 'dark'; without one, the system's.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is switched off: the system's theme it is.
}

// The policy of the page allows no eval: zod reads here, before its first schema, that it may not compile any.
globalThis.__zod_globalConfig = { jitless: true }
