import { z } from 'zod'

/** The reports that `npm test` writes for a whole run. */
export const reportFiles = ['.cache/reports/tests.json', '.cache/reports/e2e.json'] as const

/** The fields read from a test runner's JSON report. */
export const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(z.object({ title: z.string(), fullName: z.string(), status: z.string() })),
    }),
  ),
})
export type Report = z.infer<typeof Report>

export interface Tally {
  passed: number
  failed: number
  skipped: number
}

/**
 * Counts the results of a run. A failure outside a test (a file that does not load, an uncaught error, a run without tests)
 * counts as one failure, never zero.
 */
export function tally(report: Report | null, exitCode: number | null): Tally {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const sum: Tally = { passed: 0, failed: 0, skipped: 0 }
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed').length
    const passed = file.assertionResults.filter((test) => test.status === 'passed').length
    sum.passed += passed
    sum.failed += failed
    sum.skipped += file.assertionResults.length - failed - passed
    if (file.status === 'failed' && failed === 0) sum.failed += 1
  }
  if (sum.failed === 0 && (exitCode !== 0 || sum.passed === 0)) sum.failed = 1
  return sum
}
