import { z } from 'zod'

/** Settings of a deployment, loaded from /config.json: one build serves every environment (API-001). */
export const Config = z.object({
  environment: z.enum(['local', 'staging', 'sandbox', 'development', 'production']),
  /** Base address of the admin API. */
  api: z.string().min(1),
  /** The public application key, valid only for GET credentials. */
  application_key: z.string(),
  /** Version of the build on the server. */
  version: z.string(),
})
export type Config = z.infer<typeof Config>

let loaded: Config | null = null

/** Loads the configuration once; throws if it is missing or invalid. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' })
  if (!response.ok) throw new Error('The configuration of the portal could not be loaded.')
  loaded = Config.parse(await response.json())
  return loaded
}

/** The configuration; requires `loadConfig` to have completed. */
export function config(): Config {
  if (!loaded) throw new Error('The configuration was not loaded yet.')
  return loaded
}
