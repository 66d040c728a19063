const marks = /\p{M}/gu
const plainText = /^[\x20-\x7e]*$/
const joints = /[-_]/g

/** Lower case, without diacritics, hyphens as spaces. Keeps the length, so that positions match the original. */
export function fold(text: string): string {
  if (plainText.test(text)) return text.toLowerCase().replace(joints, ' ')
  let folded = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 128) {
      folded += code === 45 || code === 95 ? ' ' : code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : text[i]
      continue
    }
    const char = text[i] as string
    if (char === '‐' || char === '–' || char === '—') {
      folded += ' '
      continue
    }
    const plain = char.normalize('NFD').replace(marks, '').toLowerCase()
    folded += plain.length === 1 ? plain : char.toLowerCase()[0]
  }
  return folded
}
