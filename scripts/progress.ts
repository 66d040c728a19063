import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, TestRunEndReason, TestSpecification } from 'vitest/node'

interface Failure {
  message: string
  stack?: string
  diff?: string
}

/** Prints the progress of a long run: a line for each file with its place, the time and its duration, and each failure at once. */
export default class Progress implements Reporter {
  readonly #began = Date.now()
  readonly #failed: string[] = []
  #files = 0
  #ended = 0

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#files = files.length
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'failed') this.#fail(`${test.module.relativeModuleId} > ${test.fullName}`, errors)
  }

  onTestModuleEnd(file: TestModule): void {
    this.#ended += 1
    const all = [...file.children.allTests()]
    const counted = (wanted: string) => all.filter((test) => test.result().state === wanted).length
    const [failed, skipped] = [counted('failed'), counted('skipped')]
    // Also a hook that fails, or a file that does not load.
    const errors = [...file.errors(), ...[...file.children.allSuites()].flatMap((suite) => suite.errors())]
    if (errors.length > 0) this.#fail(file.relativeModuleId, errors)
    const counts = [
      `${all.length - failed - skipped} passed`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ]
    const place = `${String(this.#ended).padStart(String(this.#files).length)} of ${this.#files}`
    const seconds = Math.round(file.diagnostic().duration / 1_000)
    console.log(`${this.#time()}  ${place}  ${file.relativeModuleId}: ${[...counts, `${seconds} s`].join(', ')}`)
  }

  onUserConsoleLog({ content }: { content: string }): void {
    console.log(content.trimEnd())
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[], reason: TestRunEndReason): void {
    if (unhandled.length > 0) this.#fail('Outside of a test', unhandled)
    if (this.#failed.length > 0) console.log(`\nFailed:\n${this.#failed.map((title) => `  ${title}`).join('\n')}`)
    else if (reason === 'interrupted') console.log('\nInterrupted.')
  }

  #fail(title: string, errors: readonly Failure[]): void {
    this.#failed.push(title)
    console.log(`\nFAILED ${title}`)
    for (const { message, diff, stack = '' } of errors) {
      const frames = stack.split('\n').filter((line) => /^\s+at /.test(line) && !/node_modules|node:|<anonymous>/.test(line))
      const text = [message, ...(diff ? [diff] : []), ...frames.slice(0, 4)].join('\n').replaceAll(`${process.cwd()}/`, '')
      console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text))
    }
    console.log('')
  }

  /** Minutes and seconds since the start. */
  #time(): string {
    const seconds = Math.floor((Date.now() - this.#began) / 1_000)
    return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, '0')}`
  }
}
