import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** Whether a session is the current one. */
export const sessionStates = states({ CURRENT: ['This one', 'good'], OTHER: ['Elsewhere', 'idle'] })

/** Refuses to end the current session: signing out does that. */
export const canEndSession = ({ state }: { state: string }): Refusal | null =>
  state === 'CURRENT' ? refuse('session-at-hand', 'This is your current session. Sign out to end it.') : null

/** Browsers by their name in the user agent. Those that imitate others come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bAdminPortalTerminal\/(\d+)/, 'Terminal'],
  [/\bEdgA?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium)\/(\d+)/, 'Chromium'],
  [/\b(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** Label of a device that cannot be identified. */
const unknownDevice = 'Unknown device'

/** A browser and its system in words, 'Firefox 140 on Windows', from the `user-agent` header. */
export function deviceWords(userAgent: string | undefined): string {
  const agent = userAgent ?? ''
  const system = systems.find(([named]) => named.test(agent))?.[1]
  for (const [named, browser] of browsers) {
    const [, version] = named.exec(agent) ?? []
    if (version) return `${browser} ${version.slice(0, 4)}${system ? ` on ${system}` : ''}`
  }
  return system ?? unknownDevice
}
