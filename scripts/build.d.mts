/** A hash of names and contents of the portal's sources. */
export function fingerprint(): string
export function isBuilt(): boolean
