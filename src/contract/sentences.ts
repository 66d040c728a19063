import { z } from 'zod'
import { noDate, required } from '#contract/fields.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'Enter text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Choose yes or no',
  array: 'Send a list',
  object: 'Send named fields',
  record: 'Send named fields',
}

const formats: Readonly<Record<string, string>> = {
  email: 'Invalid email',
  date: noDate,
  uuid: 'This is not an id.',
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' }
const other = 'This value is not of the right kind.'

/** The message for an invalid value whose schema defines none: people and logs never see the library's messages. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.input === null || issue.input === '' ? required : (kinds[issue.expected] ?? other)
    case 'invalid_value':
      return `Must be one of: ${issue.values.map(String).join(', ')}`
    case 'too_small': {
      const unit = units[issue.origin]
      if (unit && issue.minimum === 1) return required
      return unit ? `At least ${issue.minimum} ${unit}` : `At least ${issue.minimum}`
    }
    case 'too_big': {
      const unit = units[issue.origin]
      return unit ? `At most ${issue.maximum} ${unit}` : `At most ${issue.maximum}`
    }
    case 'invalid_format':
      return formats[issue.format] ?? other
    case 'unrecognized_keys':
      return 'There is no such field or parameter.'
    default:
      return other
  }
}

z.config({ localeError: sentenceOf })
