import { type Encoding, isForeignEncoding, signsOf } from '#domain/file-text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes that a text was read from by an encoding of one byte for each sign; null where it was not. */
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

/** Letters of Europe and typographic signs: Íñigo and D’Élia are bytes of UTF-8 by older encodings, too, though of other alphabets. */
const latin = /^[\x20-\x7e\u00c0-\u024f’‘“”–]*$/

/** A text whose UTF-8 bytes were read as another encoding, read rightly; null where it was not. */
function decodedOnce(text: string): string | null {
  for (const encoding of ['windows-1252', 'macintosh', 'ibm850'] as const) {
    const bytes = bytesOf(text, encoding)
    if (!bytes) continue
    try {
      const decoded = utf8.decode(bytes)
      if (decoded !== text && (encoding === 'windows-1252' || latin.test(decoded))) return decoded
    } catch {
      // The bytes are no UTF-8.
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

/** A text with signs as a web page writes them (`Jos&eacute;`, `O&#39;Brien`) without these; null where it has none. */
function withoutEntities(text: string): string | null {
  const read = text.replace(entity, (whole, hex?: string, decimal?: string, plain?: string, letter?: string, mark?: string) => {
    if (plain) return plainEntities[plain.toLowerCase()] ?? whole
    if (letter && mark) return mark === 'slash' ? (slashed[letter] ?? whole) : `${letter}${marks[mark.toLowerCase()] ?? ''}`
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })
  return read === text ? null : read.normalize('NFC')
}

/** Times that a text may have gone through a program that garbled it. */
const maxRounds = 3

/** A garbled text as it was: `JosÃ©`, `Jos√©` and `Jos&eacute;` are José. Null for a text that is not garbled. */
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

/** The first group of signs in which a text and its mended form differ: `Ã©` and `é`. */
export function garbledPart(text: string): { garbled: string; mended: string } {
  for (const [part] of text.matchAll(/&[#\w]+;|[\u0080-\u{10ffff}]+/gu)) {
    const mended = mendedText(part)
    if (mended !== null) return { garbled: part, mended }
  }
  return { garbled: text, mended: mendedText(text) ?? text }
}

/** Signs that no name has. Those of ordinals (Mª), of Catalan (l·l) and apostrophes are not among them. */
const noSignOfNames = /[\u0080-\u009f€‚ƒ„…†‡ˆ‰‹›•˜™¡¢£¤¥¦§¨©«»¬®¯°±²³¶¸¹¼½¾¿×÷“”]/u
/** A nickname in quotes is no sign of another encoding. */
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

/** Whether a name has signs, or letters in places, that show that its file has another encoding than it was read by: `JosŽ`, `Mu–oz`. */
export function hasOtherEncoding(name: string): boolean {
  if (!/[\u0080-\u{10ffff}]/u.test(name)) return false
  const rest = name.replace(quotedPart, '')
  return noSignOfNames.test(rest) || oddPlaces.some((place) => place.test(rest))
}

/** The first text of a file that is garbled. */
interface Garbled {
  line: number
  text: string
  /** Names that show another encoding, the first few; none where texts were encoded twice. */
  names: string[]
}

/** Names that show which encoding a file has. */
const maxNames = 50

/**
 * Collects the garbled texts of a file. `suspected` is the encoding that it was read by, where its names may show another one; null
 * where they cannot. Memory is constant.
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

/** Encodings of older systems and of other countries that a file may have which was read as Windows-1252. */
const otherEncodings: readonly Encoding[] = ['macintosh', 'ibm850', 'windows-1250']

/** The encodings by which names that were read by another one become names, with the first of `names` as each reads it. */
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

/** The encoding that a person chose for a file; null where the answer is another one. */
export const chosenEncoding = (answer: string | undefined): Encoding | null =>
  answer !== undefined && isForeignEncoding(answer) ? answer : null
