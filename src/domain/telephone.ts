/** So many of its last digits are told on the phone to find somebody by their number. */
export const lastDigits = 4

const punctuated = /^[\d\s().+-]+$/
const whole = /^\+?(?:[ ().]*\d){7,}$/

/** The code of the country that numbers of ten digits are dialled with from elsewhere. */
const dialled = /^\D*1(?=\D*(?:\d\D*){10}$)/

/**
 * The digits of a text that could be a telephone number, however it is written: beside them it has its punctuation only. A number of
 * ten digits is kept without the code of its country, with which telephones show it; digits alone may be an id.
 */
export const digitsOfPhone = (text: string): string => {
  if (!punctuated.test(text)) return ''
  return (/^\d*$/.test(text.trim()) ? text : text.replace(dialled, '')).replace(/\D/g, '')
}

/** Whether a text is a telephone number: seven digits or more. */
export const isTelephone = (text: string): boolean => whole.test(text)

/** Whether a word could be the last digits of a telephone number. */
export const areLastDigits = (word: string): boolean => word.length >= lastDigits && !/\D/.test(word)
