import { acceptedBody, type AnyEndpoint, type AnyIntent, collect } from '#contract/define.ts'
import type { AnyRoute, IntentRoute, ReadyIntent, ReadyRoute, RouteTable } from '#server/http/route.ts'
import { modulesIn } from '#server/modules-in.ts'
import { strictly } from '#server/http/strict.ts'

/** `GET /employees/{id}` */
export const nameOf = (endpoint: AnyEndpoint): string => `${endpoint.method} ${endpoint.path}`

/** Discovers the contract and all routes in the file system and joins them. */
export async function loadRoutes(): Promise<RouteTable> {
  const contract = await modulesIn(new URL('../../contract/', import.meta.url))
  const routes = await modulesIn(new URL('../routes/', import.meta.url))
  return routeTable(
    collect(contract.values()),
    [...routes.values()].flatMap((module) => (module.routes as AnyRoute[] | undefined) ?? []),
  )
}

/** Compiles routes; joins the intents of one endpoint, and refuses two other routes for it. */
export function routeTable(
  contract: { endpoints: AnyEndpoint[]; intents: AnyIntent[] },
  declared: readonly AnyRoute[],
): RouteTable {
  const byEndpoint = new Map<string, ReadyRoute>()
  const byIntent = new Map<string, ReadyIntent>()
  for (const route of joined(declared)) {
    const ready = readyRoute(route)
    byEndpoint.set(nameOf(route.endpoint), ready)
    for (const intent of ready.intents) byIntent.set(intent.intent.id, intent)
  }
  return { routes: [...byEndpoint.values()], ...contract, byEndpoint, byIntent }
}

/** The routes, one for each endpoint: intents of the same endpoint are declared one by one, with the same subject. */
export function joined(declared: readonly AnyRoute[]): AnyRoute[] {
  const found = new Map<string, AnyRoute>()
  for (const route of declared) {
    const name = nameOf(route.endpoint)
    const other = found.get(name)
    const isSame = other && 'intents' in other && 'intents' in route && other.subject === route.subject
    if (other && !isSame) throw new Error(`${name} has two routes.`)
    found.set(name, isSame ? { ...other, intents: [...other.intents, ...route.intents] } : route)
  }
  return [...found.values()]
}

function readyRoute(route: AnyRoute): ReadyRoute {
  const { endpoint } = route
  const change = 'intents' in route ? (route as IntentRoute) : undefined
  const intents: ReadyIntent[] = []
  const ready: ReadyRoute = {
    endpoint,
    params: strictly(endpoint.params),
    query: strictly(endpoint.query),
    body: endpoint.body && strictly(endpoint.body),
    plain: 'handle' in route && !('ownTransactions' in route) ? route.handle : undefined,
    again: 'again' in route ? route.again : undefined,
    ownTransactions: 'ownTransactions' in route ? route.handle : undefined,
    admits: 'admits' in route ? route.admits : undefined,
    change,
    intents,
  }
  for (const { intent, apply, ahead } of change?.intents ?? []) {
    const body = strictly(acceptedBody(intent))
    const bodyWithoutVersion = 'version' in body.shape ? body.omit({ version: true }) : body
    intents.push({ intent, apply, ahead, body, bodyWithoutVersion, route: ready })
  }
  return ready
}
