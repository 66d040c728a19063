import { copyText } from '#portal/platform/clipboard.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { wholeNumber } from '#domain/text.ts'

/** Copies text to the clipboard and shows a toast that says so, or why not; `detail` is the second line of the toast. */
export async function copyAndSay(text: string, message: string, detail: string | null = null): Promise<void> {
  if (await copyText(text)) showToast(message, { tone: 'good', detail })
  else showToast('The browser does not let this page write to the clipboard.', { tone: 'bad' })
}

/** `2,400 of 3,000 are not loaded`. */
export const notLoaded = (all: number, loaded: number): string =>
  `${wholeNumber(all - loaded)} of ${wholeNumber(all)} are not loaded`
