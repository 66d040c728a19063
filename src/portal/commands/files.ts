import { createExport, downloadExport, type Export, getExport } from '#contract/exports.ts'
import type { AnyEndpoint, At } from '#contract/define.ts'
import { Unanswered } from '#kernel/api-client.ts'
import type { List } from '#portal/list/list.ts'
import { newKey, waitToAskAgain } from '#portal/commands/run.ts'
import { store } from '#portal/platform/store.ts'
import { dismiss, showToast, toastsAtom } from '#portal/platform/toasts.ts'
import { type Download, request, apiClient } from '#portal/api/client.ts'
import { wholeNumber } from '#domain/text.ts'

/** Milliseconds between two polls of a file that is being written. */
const pollInterval = 1_000
/** Number of failed polls in a row after which polling ends. */
const maxFailures = 10

/** Saves a blob as a file through the browser. */
export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Downloads the file that a call returns, under its own name unless `as` is given; throws the refusal of the API. */
export async function save(endpoint: AnyEndpoint, at: At, query?: Record<string, string>, as?: string): Promise<void> {
  const { name, content } = (await request(endpoint, at, { ...(query ? { query } : {}), file: true, timeout: false })) as Download
  saveAs(content, as ?? name)
}

/** Replaces the previous toast, so that a long export shows only one. */
function replaceToast(before: number | null, sentence: string, detail: string | null = null): number {
  if (before !== null) dismiss(before)
  showToast(sentence, { detail })
  return store.get(toastsAtom).at(-1)?.id as number
}

const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time))

/**
 * Has the server write all matching rows to a CSV file with all columns, shows the progress, and downloads it. Throws the refusal
 * of the API.
 */
export async function writeOnServer(list: List, kind: Export['kind'], fileName: string): Promise<void> {
  const { many } = list.definition
  const sort = store.get(list.askedAtom)?.sort
  const made = (await apiClient.post(
    createExport,
    {},
    { kind, filter: { ...list.filter, ...(sort ? { sort: sort.id, 'sort-order': sort.order } : {}) } },
    { key: newKey(), command: 'list.export' },
  )) as Export
  const done = await waitForFile(made, many)
  if (done.state === 'failed')
    return showToast(`The ${many} could not be written to a file.`, { tone: 'bad', detail: done.message ?? 'Try again.' })
  await save(downloadExport, { id: done.id }, undefined, fileName)
  showToast(`Exported ${wholeNumber(done.done)} ${many}`, {
    tone: 'good',
    detail: `${fileName}. It has all columns, as files of long lists do.`,
  })
}

/** Polls until the file is complete; the server continues if the page is closed. */
async function waitForFile(made: Export, many: string): Promise<Export> {
  let now = made
  let announced: number | null = null
  let lost = 0
  let at = 0
  while (now.state === 'waiting' || now.state === 'running') {
    const percent = now.total ? Math.floor((now.done / now.total) * 4) : 0
    if (announced === null || percent !== at)
      announced = replaceToast(
        announced,
        now.total === null
          ? `Writing ${many} to a file`
          : `${wholeNumber(now.done)} of ${wholeNumber(now.total)} ${many} written`,
      )
    at = percent
    await pause(pollInterval)
    try {
      now = (await apiClient.read(getExport, { id: now.id }, undefined, { background: true })) as Export
      lost = 0
    } catch (error) {
      lost += 1
      if (!(error instanceof Unanswered) || lost > maxFailures) throw error
      await waitToAskAgain(lost)
    }
  }
  if (announced !== null) dismiss(announced)
  return now
}
