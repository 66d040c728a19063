/** Number of last digits by which people are found over the phone. */
export const lastDigits = 4

const punctuated = /^[\d\s().+-]+$/
const whole = /^\+?(?:[ ().]*\d){7,}$/

/** Country code before a number of ten digits. */
const dialled = /^\D*1(?=\D*(?:\d\D*){10}$)/

/**
 * The digits of a text that could be a telephone number: it has only digits and the usual punctuation. The country code of a
 * number of ten digits, which telephones show, is removed. Digits alone may be an id.
 */
export const digitsOfPhone = (text: string): string => {
  if (!punctuated.test(text)) return ''
  return (/^\d*$/.test(text.trim()) ? text : text.replace(dialled, '')).replace(/\D/g, '')
}

/** Whether a text is a telephone number: at least seven digits. */
export const isTelephone = (text: string): boolean => whole.test(text)

/** Whether a word could be the last digits of a telephone number. */
export const areLastDigits = (word: string): boolean => word.length >= lastDigits && !/\D/.test(word)
