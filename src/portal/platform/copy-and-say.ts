import { copyText } from '#portal/platform/clipboard.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { wholeNumber } from '#domain/text.ts'

/** Puts text on the clipboard and says so, or why not; `detail` is what else is to be known of it. */
export async function copyAndSay(text: string, said: string, detail: string | null = null): Promise<void> {
  if (await copyText(text)) showToast(said, { tone: 'good', detail })
  else showToast('The browser does not let this page write to the clipboard.', { tone: 'bad' })
}

/** `2,400 of 3,000 are not loaded`. */
export const notLoaded = (all: number, loaded: number): string =>
  `${wholeNumber(all - loaded)} of ${wholeNumber(all)} are not loaded`
