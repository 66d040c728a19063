import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'

let database: TestDatabase
let server: ServerProcess
/** The text of `/metrics`, after a request. */
let exported: string

beforeAll(async () => {
  database = await createDatabase()
  const { url } = database
  // The primary itself stands for a standby here, so that the reads are counted.
  server = startProcess({ DATABASE_URL: url, READ_DATABASE_URL: url, SEED: 'none', LOG_LEVEL: 'silent', METRICS_PORT: '0' })
  await fetch(`${await server.ready}/readyz`)
  exported = await (await fetch(await server.printed(/Metrics: (\S+)/))).text()
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  await database.drop()
})

interface Panel {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string; legendFormat: string }[]
}
const dashboard = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as { panels: Panel[] }
const alerts = [...readFileSync('deploy/alerts.yml', 'utf8').matchAll(/expr: (?:>-\n)?((?:.|\n)*?)\n {8}\w+:/g)].map(
  ([, expr]) => expr as string,
)
const expressions = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alerts]

const metricName = /\b(?:admin_portal|nodejs|process)_\w+/g
const metricsIn = (text: string): string[] => [...new Set(text.match(metricName))]
/** Histograms are exported as three series. */
const baseOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')

test('the dashboard and the alerts use only metrics and labels that the server exports', () => {
  expect([dashboard.panels.length, alerts.length]).toEqual([12, 8])
  const types = new Set([...exported.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  for (const expression of expressions) {
    const names = metricsIn(expression)
    expect([expression, names.length > 0]).toEqual([expression, true])
    expect(names.filter((name) => !types.has(name) && !types.has(baseOf(name)))).toEqual([])
  }
  const labels = new Set([...exported.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
  // Added by Prometheus, and a label of a series that is only there with a standby.
  for (const label of ['instance', 'standby']) labels.add(label)
  const used = expressions.flatMap((expression) => [
    ...[...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => (list as string).split(/, */)),
    ...[...expression.matchAll(/[{,] *(\w+) *=~?"/g)].map(([, label]) => label as string),
  ])
  expect(used.filter((label) => !labels.has(label))).toEqual([])
})

test('the dashboard or an alert uses every metric of the portal, and the docs name it', () => {
  const used = expressions.flatMap(metricsIn).map(baseOf)
  const docs = readFileSync('docs/operations.md', 'utf8')
  const own = [...exported.matchAll(/^# TYPE (admin_portal_\S+)/gm)].map(([, name]) => name as string)
  expect(own.length).toBeGreaterThan(6)
  expect(own.filter((name) => !used.includes(name))).toEqual([])
  expect(own.filter((name) => !docs.includes(`\`${name}\``))).toEqual([])
})

test('panels of the dashboard do not overlap, and have titles of their own', () => {
  const places = dashboard.panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)
  expect(new Set(places).size).toBe(places.length)
  expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
  expect(new Set(dashboard.panels.map(({ title }) => title)).size).toBe(places.length)
})
