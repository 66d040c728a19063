/** True if the command key is Cmd. */
export const mac: boolean = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
