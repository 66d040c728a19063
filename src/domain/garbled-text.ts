import { type Encoding, isForeignEncoding, signsOf } from '#domain/file-text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes from which a single-byte encoding produced this text; null if it did not. */
function bytesOf(text: string, encoding: Encoding): Uint8Array | null {
  const { byteOf } = signsOf(encoding)
  const bytes: number[] = []
  for (const sign of text) {
    const byte = sign < '\x80' ? sign.charCodeAt(0) : byteOf.get(sign)
    if (byte === undefined) return null
    bytes.push(byte)
  }
  return new Uint8Array(bytes)
}

/** European letters and typographic characters: Íñigo and D’Élia are valid UTF-8 in older encodings, too, but of other alphabets. */
const latin = /^[\x20-\x7e\u00c0-\u024f’‘“”–]*$/

/** Decodes a text whose UTF-8 bytes were decoded with another encoding; null if it was not. */
function decodedOnce(text: string): string | null {
  for (const encoding of ['windows-1252', 'macintosh', 'ibm850'] as const) {
    const bytes = bytesOf(text, encoding)
    if (!bytes) continue
    try {
      const decoded = utf8.decode(bytes)
      if (decoded !== text && (encoding === 'windows-1252' || latin.test(decoded))) return decoded
    } catch {
      // The bytes are not valid UTF-8.
    }
  }
  return null
}

const entity =
  /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos|nbsp)|([a-z])(acute|grave|circ|tilde|uml|cedil|ring|caron|slash))(?:;)/gi
const plainEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const marks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  cedil: '\u0327',
  ring: '\u030a',
  caron: '\u030c',
}
const slashed: Readonly<Record<string, string>> = { o: 'ø', O: 'Ø', l: 'ł', L: 'Ł' }

/** Replaces HTML entities (`Jos&eacute;`, `O&#39;Brien`) by their characters; null if there are none. */
function withoutEntities(text: string): string | null {
  const read = text.replace(entity, (whole, hex?: string, decimal?: string, plain?: string, letter?: string, mark?: string) => {
    if (plain) return plainEntities[plain.toLowerCase()] ?? whole
    if (letter && mark) return mark === 'slash' ? (slashed[letter] ?? whole) : `${letter}${marks[mark.toLowerCase()] ?? ''}`
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
  return read === text ? null : read.normalize('NFC')
}

/** Maximum number of times that a text may have been garbled. */
const maxRounds = 3

/** Repairs a garbled text: `JosÃ©`, `Jos√©` and `Jos&eacute;` are José. Null if the text is not garbled. */
export function mendedText(text: string): string | null {
  if (text.includes('&')) {
    const read = withoutEntities(text)
    if (read !== null) return mendedText(read) ?? read
  }
  if (!/[\u0080-\u{10ffff}]/u.test(text)) return null
  let mended = decodedOnce(text)
  for (let round = 1; round < maxRounds && mended !== null; round += 1) mended = decodedOnce(mended) ?? mended
  return mended?.normalize('NFC') ?? null
}

/** The first differing characters of a text and its repaired form: `Ã©` and `é`. */
export function garbledPart(text: string): { garbled: string; mended: string } {
  for (const [part] of text.matchAll(/&[#\w]+;|[\u0080-\u{10ffff}]+/gu)) {
    const mended = mendedText(part)
    if (mended !== null) return { garbled: part, mended }
  }
  return { garbled: text, mended: mendedText(text) ?? text }
}

/** Characters that no name contains. Ordinals (Mª), Catalan (l·l) and apostrophes are not among them. */
const noSignOfNames = /[\u0080-\u009f€‚ƒ„…†‡ˆ‰‹›•˜™¡¢£¤¥¦§¨©«»¬®¯°±²³¶¸¹¼½¾¿×÷“”]/u
/** A quoted nickname is not evidence of another encoding. */
const quotedPart = /“[^“”]+”|«[^«»]+»/gu
const oddPlaces = [
  /\p{Ll}[–]\p{Ll}/u,
  /\p{L}—\p{L}/u,
  /\p{L}[ŠŒŽŸ]\p{Ll}/u,
  /\p{Ll}[À-ÞŠŒŽŸ]/u,
  /[bcdfghjklmnpqrstvwxz]’\p{Ll}/u,
  /\p{L}‘(?!\p{L})/u,
  /œ(?![uir]|\p{Lu})/u,
]

/** Whether a name has characters, or letters in positions, that show that its file has another encoding: `JosŽ`, `Mu–oz`. */
export function hasOtherEncoding(name: string): boolean {
  if (!/[\u0080-\u{10ffff}]/u.test(name)) return false
  const rest = name.replace(quotedPart, '')
  return noSignOfNames.test(rest) || oddPlaces.some((place) => place.test(rest))
}

/** The first garbled text of a file. */
interface Garbled {
  line: number
  text: string
  /** The first names that show another encoding; empty if texts were encoded twice. */
  names: string[]
}

/** Maximum number of names kept as evidence of an encoding. */
const maxNames = 50

/**
 * Collects the garbled texts of a file. `suspected` is the encoding it was read with, if names may show another one; else null.
 * Uses constant memory.
 */
export function garbledTexts(suspected: Encoding | null) {
  let garbled: Garbled | null = null
  const see = (text: string, line: number, isName: boolean): void => {
    if (!/[&\u0080-\u{10ffff}]/u.test(text)) return
    const isOther = suspected !== null && isName && hasOtherEncoding(text)
    if (!isOther && mendedText(text) === null) return
    garbled ??= { line, text, names: [] }
    if (isOther && garbled.names.length < maxNames) garbled.names.push(text)
  }
  return { see, found: (): Garbled | null => garbled }
}

/** Encodings of older systems and other countries that may have been read as Windows-1252. */
const otherEncodings: readonly Encoding[] = ['macintosh', 'ibm850', 'windows-1250']

/** Encodings in which names that were decoded with another one are plausible, each with the first of `names` as it decodes it. */
export function likelyEncodings(names: readonly string[], read: Encoding): { encoding: Encoding; name: string }[] {
  return otherEncodings.flatMap((encoding) => {
    const { signs } = signsOf(encoding)
    const decoded = names.map((name) => {
      const bytes = bytesOf(name, read)
      return bytes && [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : signs[byte - 0x80])).join('')
    })
    const good = decoded.every(
      (name) => name !== null && /^[\p{Script=Latin}\p{M} .,'’()-]+$/u.test(name) && !hasOtherEncoding(name),
    )
    return good && decoded[0] ? [{ encoding, name: decoded[0] }] : []
  })
}

/** The encoding that a person chose for a file; null for any other answer. */
export const chosenEncoding = (answer: string | undefined): Encoding | null =>
  answer !== undefined && isForeignEncoding(answer) ? answer : null
