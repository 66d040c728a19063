import { shortened } from '#domain/text.ts'

const month = '(?:0?[1-9]|1[0-2])'
const day = '(?:0?[1-9]|[12][0-9]|3[01])'
const names = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const time = '(?:[T ][0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?(?: ?[AP]M|Z)?)?'
const dateOfDigits = (separator: string): string =>
  `(?:${month}${separator}${day}|${day}${separator}${month})${separator}(?:19|20)[0-9]{2}${time}`

/**
 * Shapes that only a spreadsheet produces from a code: scientific notation, always with a sign; its errors and what it shows in
 * narrow columns; booleans; full dates, times with seconds; and numbers that lost their digits after the fifteenth. Codes that
 * merely look similar are kept: 219E01, 3-13, 12-Mar.
 */
const shapes = [
  // Engineering notation has up to three digits before the point.
  '-?[0-9]{1,3}(?:[.,][0-9]+)?[eE][+-][0-9]{1,3}',
  // In all languages: #REF!, #BEZUG!, #NAME?, #N/A, #N/D, #NV.
  '#(?:¡?[A-ZÀ-ÖØ-Þ0/_]{2,20}[!?]|N/[ADV]|NV|GETTING_DATA)',
  'Err:[0-9]{3}',
  '#{3,}',
  'TRUE|FALSE',
  `[1-9][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])${time}`,
  `(?:19|20)[0-9]{2}/${month}/${day}${time}`,
  dateOfDigits('/'),
  dateOfDigits('-'),
  dateOfDigits('[.]'),
  `${day}-${names}-(?:[0-9]{2}|[0-9]{4})`,
  '-?[0-9]+:[0-5][0-9]:[0-5][0-9]',
  '[1-9][0-9]{14}0{3,}',
]

/** The shapes as one regular expression that works the same here and in PostgreSQL. */
export const changedCodePattern = `^(?:${shapes.join('|')})$`
const changed = new RegExp(changedCodePattern)

/** Whether a spreadsheet changed the code so that the original cannot be recovered. */
export const isChangedCode = (text: string): boolean => changed.test(text)

/** Message for such a code. */
export const changedCodeFault = (text: string): string =>
  `The cell shows ${shortened(text)}: the spreadsheet changed this code. Format the column as text, enter the code again and send the file again.`

/** Placeholder for the missing code of a line about a person: like a changed code, it may be about anybody. */
export const missingCode = '#N/A'

const otherMonths =
  'Mrz|März|Mai|Okt|Dez|janv|févr|mars|avr|mai|juin|juil|août|sept|oct|nov|déc|ene|feb|mar|abr|may|jun|jul|ago|sep|dic'
const money = '[0-9]{1,3}(?:,?[0-9]{3})*(?:[.][0-9]+)?'

/**
 * Shapes that a spreadsheet or another program may have produced from a code, but that real codes may have, if rarely:
 * `12-Mar`, `Mar-12`, `417.0`, `1,234`, `12%`, `3/12/26`, `1.23E5`, `А-12` in Cyrillic. Such a code is accepted if an employee has it.
 */
const doubtfulShapes = [
  `${day}[.]?[- ](?:${names.slice(3, -1)}|${otherMonths})[.]?`,
  `${names}-(?:[0-9]{2}|[0-9]{4})`,
  `${day}-(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-(?:[0-9]{2}|[0-9]{4})`,
  `(?:${month}/${day}|${day}/${month})/[0-9]{2}`,
  '[0-9]+[.]0+',
  '[0-9]{1,3}(?:,[0-9]{3})+(?:[.]0+)?',
  '-?[0-9]+(?:[.,][0-9]+)? ?%',
  `[$€£] ?${money}`,
  '[0-9][.,][0-9]+E[0-9]{1,3}',
  '[Tt]rue|[Ff]alse|true|false|WAHR|FALSCH|VRAI|FAUX|VERDADERO|FALSO',
  // Greek and Cyrillic letters, some of which look like Latin ones: the А of another keyboard.
  '.*[\u0370-\u04ff].*',
  // Placeholders that people write if there is no code yet.
  ...['na', 'none', 'nil', 'unknown', 'tbd', 'tba', 'missing', 'pending', 'new', 'not assigned', 'unassigned', 'no id'].map(
    (word) => word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`),
  ),
]

/** The doubtful shapes as one regular expression that works the same here and in PostgreSQL. */
export const doubtfulCodePattern = `^(?:${doubtfulShapes.join('|')})$`

/** Codes of 16 or 17 digits as rounded by a spreadsheet; if several codes of a file end like this, it is not by chance. */
export const roundedCodePattern = '^[1-9][0-9]{14}0{1,2}$'
export const longCodePattern = '^[1-9][0-9]{15,16}$'

/** Message for a doubtful code that no employee has: the text before and after the code. */
export const doubtfulCodeFault = [
  'The cell shows “',
  '”, and nobody has this code: most likely it was changed by a spreadsheet or left out. Format the column as text, enter the code and send the file again.',
] as const

const error = new RegExp(`^(?:${shapes.slice(1, 4).join('|')})$`)

/** Whether a cell contains a spreadsheet error. */
export const isSpreadsheetError = (text: string): boolean => error.test(text)
