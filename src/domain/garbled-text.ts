/** The signs of Windows-1252 that Unicode has elsewhere, by their byte from 0x80 on; a blank is none. */
const windowsSigns = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const byteOfSign = new Map([...windowsSigns].flatMap((sign, at) => (sign === ' ' ? [] : [[sign, 0x80 + at] as const])))

/** A text whose UTF-8 bytes were read as Windows-1252, read rightly; null where it was not. */
function decodedOnce(text: string): string | null {
  const bytes: number[] = []
  for (const sign of text) {
    const code = sign.codePointAt(0) as number
    const byte = code < 0x100 ? code : byteOfSign.get(sign)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array(bytes))
    return decoded === text ? null : decoded
  } catch {
    return null
  }
}

/** Times that a text may have gone through a program that garbled it. */
const maxRounds = 3

/** A garbled text as it was: `JosÃ©` is José, encoded as UTF-8 twice. Null for a text that is not garbled. */
export function mendedText(text: string): string | null {
  if (!/[\u0080-\u{10ffff}]/u.test(text)) return null
  let mended = decodedOnce(text)
  for (let round = 1; round < maxRounds && mended !== null; round += 1) mended = decodedOnce(mended) ?? mended
  return mended?.normalize('NFC') ?? null
}

/** The first group of signs in which a text and its mended form differ: `Ã©` and `é`. */
export function garbledPart(text: string): { garbled: string; mended: string } {
  for (const [part] of text.matchAll(/[\u0080-\u{10ffff}]+/gu)) {
    const mended = mendedText(part)
    if (mended !== null) return { garbled: part, mended }
  }
  return { garbled: text, mended: mendedText(text) ?? text }
}
