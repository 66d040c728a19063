/** So many of its last digits are told on the phone to find somebody by their number. */
export const lastDigits = 4

const punctuated = /^[\d\s().+-]+$/
const whole = /^\+?(?:[ ().]*\d){7,}$/

/** The digits of a text that could be a telephone number, however it is written: beside them it has its punctuation only. */
export const digitsOfPhone = (text: string): string => (punctuated.test(text) ? text.replace(/\D/g, '') : '')

/** Whether a text is a telephone number: seven digits or more. */
export const isTelephone = (text: string): boolean => whole.test(text)

/** Whether a word could be the last digits of a telephone number. */
export const areLastDigits = (word: string): boolean => word.length >= lastDigits && !/\D/.test(word)
