import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { idsIn, provedBy, rowsOf } from '../scripts/checklist.ts'
import { Report, tally } from '../scripts/report.ts'

const report = (...tests: [title: string, status: string][]): Report => ({
  testResults: [
    {
      name: 'a.test.ts',
      status: tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
      message: '',
      assertionResults: tests.map(([title, status]) => ({ title, fullName: title, status })),
    },
  ],
})

describe('the checklist', () => {
  test('has ids that nobody shares, each with a requirement', () => {
    const rows = rowsOf(readFileSync('docs/checklist.tsv', 'utf8'))
    expect(rows.length).toBeGreaterThan(700)
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
    expect(rows.filter((row) => !/^[A-Z]+-\d{3}$/.test(row.id) || !row.area || !row.requirement)).toEqual([])
  })

  test.each([
    ['[EMP-002] pause needs a reason', ['EMP-002']],
    ['[EMP-001, EMP-002] both', ['EMP-001', 'EMP-002']],
    ['[AUTH-010..012] a range', ['AUTH-010', 'AUTH-011', 'AUTH-012']],
    ['[AUTH-010..AUTH-011, ERR-001] a range and one', ['AUTH-010', 'AUTH-011', 'ERR-001']],
    ['EMP-002 without brackets', []],
    ['[AUTH-010..ERR-012] across areas', []],
    ['[object] and [1]', []],
  ])('reads the ids of a title, case %#', (title, ids) => {
    expect(idsIn(title)).toEqual(ids)
  })

  test('a row is proved where every test that names it passed', () => {
    const { proved, named } = provedBy([
      report(['[A-001] good', 'passed'], ['[A-002] bad', 'failed'], ['[A-003] left out', 'skipped'], ['[A-004] to come', 'todo']),
      report(['[A-001, A-005] one case', 'passed'], ['[A-005] the other case', 'failed']),
      report(['[A-006] one case', 'passed'], ['[A-006] the other case', 'skipped']),
    ])
    expect([...proved]).toEqual(['A-001'])
    expect([...named].sort()).toEqual(['A-001', 'A-002', 'A-003', 'A-004', 'A-005', 'A-006'])
  })

  test('ids stand in the name of a group, too, and a name with more than four is told', () => {
    const inGroup = report(['sorts', 'passed'])
    const [only] = inGroup.testResults[0]?.assertionResults ?? []
    if (only) only.fullName = '[A-001] a list sorts'
    expect([...provedBy([inGroup]).proved]).toEqual(['A-001'])
    const four = '[A-001..004] what one test can show'
    const five = '[A-001..004] [A-005] more than one test can show'
    expect(provedBy([report([four, 'passed'], [five, 'passed'])]).crowded).toEqual([five])
  })
})

describe('the sum of a run', () => {
  test('counts what passed, failed and was skipped', () => {
    expect(tally(report(['a', 'passed'], ['b', 'failed'], ['c', 'skipped']), 1)).toEqual({ passed: 1, failed: 1, skipped: 1 })
  })

  test('a run that left no report, a file that does not load and a run without tests are failures', () => {
    expect(tally(null, 0).failed).toBe(1)
    expect(tally({ testResults: [] }, 0).failed).toBe(1)
    expect(tally({ testResults: [{ name: 'a', status: 'failed', message: 'broken', assertionResults: [] }] }, 1).failed).toBe(1)
  })

  test('an error outside the tests is a failure', () => {
    expect(tally(report(['a', 'passed']), 1)).toEqual({ passed: 1, failed: 1, skipped: 0 })
    expect(tally(report(['a', 'passed']), 0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  })

  test('a test without an assertion fails, and one that is left out is not passed', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join('tests', 'support', 'sample-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(
      join(folder, 'sample.test.tsx'),
      `import { expect, test } from 'vitest'
       test('[A-001] asserts', () => expect(1).toBe(1))
       test('[A-002] asserts nothing', () => {})
       test.skip('[A-003] is left out', () => expect(1).toBe(1))
       test.todo('[A-004] is to come')`,
    )
    const run = spawnSync(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project',
        'component',
        '--reporter=json',
        `--outputFile.json=${folder}/report.json`,
        folder,
      ],
      { stdio: 'ignore' },
    )
    const real = Report.parse(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')))
    expect([...provedBy([real]).proved]).toEqual(['A-001'])
    expect(tally(real, run.status)).toEqual({ passed: 1, failed: 1, skipped: 2 })
  })
})

describe('npm run spec', () => {
  /** Its exit code and what it prints, over a report of that run and a list of rows. */
  function spec(checked: string, ...tests: [title: string, status: string][]) {
    const folder = mkdtempSync(join(tmpdir(), 'spec-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, '.cache/reports'), { recursive: true })
    mkdirSync(join(folder, 'docs'))
    writeFileSync(
      join(folder, 'docs/checklist.tsv'),
      'id\tsection\tarea\trequirement\nA-001\t1\tshell\tone\nA-002\t1\tshell\ttwo\n',
    )
    writeFileSync(join(folder, 'rows.txt'), checked)
    writeFileSync(join(folder, '.cache/reports/tests.json'), JSON.stringify(report(...tests)))
    const run = spawnSync(process.execPath, [join(process.cwd(), 'scripts/spec.ts'), '--check', 'rows.txt'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { code: run.status, said: run.stdout + run.stderr }
  }

  test('is content where every row asked for is proved', () => {
    expect(spec('A-001', ['[A-001] good', 'passed'])).toMatchObject({ code: 0 })
  })

  test('fails on a row whose test was skipped, in part too', () => {
    expect(spec('A-001', ['[A-001] one', 'passed'], ['[A-001] two', 'skipped'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('A-001  one'),
    })
  })

  test('fails on an id that the checklist does not have', () => {
    expect(spec('A-001', ['[A-001] good', 'passed'], ['[A-003] no such row', 'passed'])).toMatchObject({
      code: 1,
      said: expect.stringContaining('Not in the checklist: A-003'),
    })
  })

  test('fails on a title that names more than four rows', () => {
    expect(spec('A-001', ['[A-001] good', 'passed'], ['[A-001] [A-002..005] five', 'passed']).code).toBe(1)
  })
})
