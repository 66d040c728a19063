import { expect, test } from 'vitest'
import { Config } from '#portal/state/config.ts'

const one = { api: '/api', application_key: 'public-local', version: '1' }

test('[API-001] the base address is one per environment, from the configuration of the deployment', () => {
  for (const environment of ['local', 'staging', 'sandbox', 'development', 'production']) {
    expect(Config.parse({ ...one, environment, api: `https://${environment}.example.com/api` })).toMatchObject({
      environment,
      api: `https://${environment}.example.com/api`,
    })
  }
  expect(Config.safeParse({ ...one, environment: 'moon' }).success).toBe(false)
  expect(Config.safeParse({ ...one, environment: 'local', api: '' }).success).toBe(false)
})
