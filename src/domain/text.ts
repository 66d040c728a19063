/** What shows nothing by itself: control, format and ignorable characters, spaces, marks without a letter, blanks. */
const unseen = /[\p{C}\p{Z}\p{M}\p{DI}\u2800]/gu

/** Whether a text has anything to be seen; one of Hangul fillers, braille blanks or lone marks has not. */
export const isWritten = (text: string): boolean => text.replace(unseen, '') !== ''
