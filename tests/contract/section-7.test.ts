import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type AnyEndpoint, collect } from '#contract/define.ts'
import { modulesIn } from '#server/modules-in.ts'

/** The calls of the specification's section 7, from the checklist: `GET employees/{}`. */
const specified = new Set(
  readFileSync('docs/checklist.tsv', 'utf8')
    .split('\n')
    .flatMap((line) => /^API-\d+\t7\t[^\t]*\t(GET|POST|PUT|PATCH|DELETE) ([^\s:,]+)/.exec(line)?.slice(1).join(' ') ?? [])
    .map((call) => call.replace(/\{\w+\}/g, '{}')),
)

/**
 * The parameters that section 7 names for existing calls; for employees and invoices also those of its sister lists
 * (docs/rules/api.md).
 */
const parameters: Record<string, readonly string[]> = {
  'GET account-managers': ['lek', 'account-manager-id', 'employer-id', 'organization-id', 'include'],
  'GET permissions': ['entity'],
  'GET employees': ['lek', 'status', 'include', 'id', 'name'],
  'GET employers': 'sort id limit lek name status account-manager-id organization-id external-code lookup-name brand'.split(' '),
  'GET employers/{}/invoices': ['page', 'pageSize'],
  'GET employer-additional-info': ['employer-ids'],
  'GET organizations/paygroups': ['organization-id', 'employer-id'],
  'GET organizations': 'limit sort sort-order name status lek id lookup-name source-code'.split(' '),
  'GET configurations': ['employer-id', 'organization-id', 'include'],
  'GET invoices': ['page', 'pageSize', 'status', 'id'],
  'GET repayments': ['query', 'lek'],
  'GET data-emails': ['employer-id', 'organization-id', 'email'],
  'POST data-emails': ['employer-id', 'organization-id', 'email'],
  'GET integrations/search': ['type', 'employer-id', 'organization-id', 'level', 'include'],
  'GET sftp-users': ['organization-id'],
  'POST sftp-users': ['organization-id'],
  'GET timekeeping': ['employee-id', 'page-size', 'lek'],
  'GET employers/{}/timekeeping': ['start', 'end', 'lek'],
  'GET transactions': ['employeeID', 'workPeriodBalanceID', 'pageSize', 'lastEvaluatedKey'],
}

const { endpoints } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())
const nameOf = ({ method, path }: AnyEndpoint) => `${method} ${path.slice(1).replace(/\{\w+\}/g, '{}')}`

test('every call says whether it is one of section 7 or an extension', () => {
  expect(specified.size).toBeGreaterThan(90)
  expect(endpoints.filter(({ extension }) => !extension).length).toBeGreaterThan(20)
  for (const endpoint of endpoints)
    expect([nameOf(endpoint), endpoint.extension]).toEqual([nameOf(endpoint), !specified.has(nameOf(endpoint))])
})

test('every call says which of its parameters section 7 names', () => {
  for (const endpoint of endpoints) {
    const named = (parameters[nameOf(endpoint)] ?? []).filter((name) => name in endpoint.query.shape)
    expect([nameOf(endpoint), [...endpoint.specified].sort()]).toEqual([nameOf(endpoint), named.sort()])
  }
})
