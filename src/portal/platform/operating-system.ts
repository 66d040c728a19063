/** True where Cmd is the command key. */
export const mac: boolean = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
