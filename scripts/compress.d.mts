export const assets: string
export function uncompressed(folder: string): string[]
export function compress(files: readonly string[]): void
