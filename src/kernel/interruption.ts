import { capitalize } from '#domain/text.ts'

/**
 * How a change ended whose session expired (docs/rules/undo.md): nothing or a part of it was done, or it is unknown because an
 * earlier attempt had no answer. Then it is sent again after the next sign-in if its key outlives the session.
 */
export type Interruption = 'not-sent' | 'in-part' | 'asked-again' | 'unsure'

/** How many calls of a plan were answered before the session expired. */
export interface Sent {
  calls: number
  of: number
}

interface InterruptionWords {
  /** 'Not sent' */
  state: string
  /** 'your session had ended' */
  reason: string
  /** What to do next. */
  advice: string
  /** For the sign-in screen. */
  signIn: string
}

const unanswered = { state: 'Not confirmed', reason: 'your session ended before there was an answer' }
const words: Record<Interruption, InterruptionWords> = {
  'not-sent': {
    state: 'Not sent',
    reason: 'your session had ended',
    advice: 'Look at it, then send it again.',
    signIn: 'Your last change was not sent.',
  },
  'in-part': {
    state: 'Sent in part',
    reason: 'your session had ended',
    advice: 'Look at what was done before you send the rest.',
    signIn: 'Your last change was sent only in part.',
  },
  'asked-again': {
    ...unanswered,
    advice: 'It may have gone through. It is sent again once you have signed in, and applied once.',
    signIn:
      'Your last change is not confirmed: it may have gone through. It is sent again once you have signed in, and applied once.',
  },
  unsure: {
    ...unanswered,
    advice: 'It may have gone through. Look at it before you do it again.',
    signIn: 'Your last change is not confirmed: it may have gone through.',
  },
}

export interface OutcomeText {
  sentence: string
  detail: string
}

interface TextOptions {
  /** Title of the change, for a message away from it. */
  title?: string
  /** How much of a plan was sent. */
  sent?: Sent | undefined
  advice?: string
}

/** The message beside the change, 'Not sent: your session had ended.', or elsewhere, 'Not sent: Pause employee, Mia Torres'. */
export function interruptionText(how: Interruption, { title, sent, advice = words[how].advice }: TextOptions = {}): OutcomeText {
  const { state, reason } = words[how]
  const next = sent ? `The first ${sent.calls} of ${sent.of} were sent. ${advice}` : advice
  return title === undefined
    ? { sentence: `${state}: ${reason}.`, detail: next }
    : { sentence: `${state}: ${title}`, detail: `${capitalize(reason)}. ${next}` }
}

/** The sentence on the sign-in screen. */
export const signInText = (how: Interruption): string => words[how].signIn

/** What is known of a change without a definite answer. */
export const outcomeText = {
  /** The server kept failing, and an earlier attempt may have succeeded. */
  safeToSend: 'It may have gone through all the same. Sending it again is safe: it happens once.',
  /** The same for an API without idempotency keys. */
  lookFirst: 'It may have gone through all the same. Look at it before you do it again.',
  /** An earlier call on the same record has no answer. */
  blocked: 'Not sent: an earlier change of the same is not confirmed yet. Once it is, look at what it did, then send again.',
  wentThrough: (title: string) => `${title}: it went through.`,
  failed: (title: string) => `${title}: it did not go through.`,
  /** A call of an earlier version of the portal, which this one cannot send. */
  unknown: (title: string) => `${title}: it is not known whether it went through. Look at it before you do it again.`,
  /** The title of a change whose command is unknown. */
  title: 'Your last change',
}
