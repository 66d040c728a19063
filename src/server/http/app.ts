import { createServer } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { answerHeaders } from '#server/http/answer-headers.ts'
import { allowOrigins, corsHeadersFor } from '#server/http/cross-origin.ts'
import { answerProblem, handlerOf } from '#server/http/handle.ts'
import { health } from '#server/http/health.ts'
import { bodyLimitOf, bodySender } from '#server/http/body-sender.ts'
import { logRequests, requestId } from '#server/http/request-log.ts'
import { openApi } from '#server/http/openapi.ts'
import { answerRefusals, clientErrorHandler } from '#server/http/raw-answers.ts'
import { Refused, notFound } from '#server/http-error.ts'
import type { ReadyRoute, Services } from '#server/http/route.ts'
import type { Settings } from '#server/boot/settings.ts'
import { portal } from '#server/http/static.ts'
import { limitBodies, smallBody } from '#server/limits/bodies.ts'
import { oneAtATime } from '#server/limits/pipelining.ts'

export type AppSettings = Pick<
  Settings,
  'trustProxy' | 'environment' | 'apiBase' | 'publicApplicationKey' | 'portalOrigins' | 'publicUrl'
> & {
  logLevel: string
  portalFolder?: string
  /** Replaces standard output. */
  logTo?: { write: (line: string) => void }
}

/** Where load balancers and monitors often look: nothing is there, and the portal's page would count as an answer. */
const noPages = /^\/(metrics|health|healthcheck|livez?|ready|status|ping)\/?$/

/** Milliseconds to receive a request, and that a connection stays open between two. */
const timeouts = { requestTimeout: 60_000, keepAliveTimeout: 72_000 }

/** Replaces the JSON Schema compilers that the framework loads. */
const noCompiler = () => {
  throw new Error('No route has a schema of its own: the contract judges what comes and goes.')
}

/** The whole HTTP server: the API below /api, its description, its health, and the portal everywhere else. */
export async function createApp(services: Services, settings: AppSettings): Promise<FastifyInstance> {
  const putHeaders = answerHeaders(settings.publicUrl)
  const putOrigin = corsHeadersFor(settings.portalOrigins)
  const app = Fastify({
    logger: { level: settings.logLevel, stream: settings.logTo },
    // A missing Host header is refused below, with a problem document.
    serverFactory: (handler) => createServer({ requireHostHeader: false, ...timeouts }, oneAtATime(handler)),
    genReqId: requestId,
    // One line of our own per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedHops(settings.trustProxy),
    bodyLimit: smallBody,
    forceCloseConnections: 'idle',
    // During shutdown, requests already sent on a connection are answered normally, and the connection closes after them: the
    // framework's own 503 is not a problem document and has no Retry-After.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    // The contract validates requests and answers, so that the hundred modules that compile JSON Schema need not be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a URL that the router rejects.
      putHeaders(request, reply)
      putOrigin(request, reply)
      // A person who follows a link that cannot be decoded sees the not-found page of the portal.
      const person = request.method === 'GET' && !request.url.startsWith('/api') && request.headers.accept?.includes('text/html')
      return void (person ? reply.redirect('/no-such-page') : answerProblem(error, request, reply))
    },
    clientErrorHandler,
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      done(null, JSON.parse(text as string))
    } catch {
      done(new Refused(400, 'malformed-request', 'The body is not JSON.'), undefined)
    }
  })
  app.setErrorHandler(answerProblem)
  logRequests(app)
  app.addHook('onSend', async (request, reply) => putHeaders(request, reply))
  allowOrigins(app, settings.portalOrigins)
  answerRefusals(app.server)
  app.addHook('onRequest', async (request) => {
    // RFC 9112, section 3.2: without a Host header, or with several, the target is ambiguous.
    const hosts = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
    if (hosts > 1 || (request.raw.httpVersion === '1.1' && hosts === 0))
      throw new Refused(
        400,
        'malformed-request',
        hosts ? 'The request says two hosts.' : 'The request does not say which host it is for.',
      )
  })
  app.addHook('onRequest', async (request, reply) => {
    // RFC 9110, section 8.4: a content coding that is not accepted is refused, and never ignored.
    const coding = request.headers['content-encoding']
    if (coding === undefined || coding.trim().toLowerCase() === 'identity') return
    reply.header('accept-encoding', 'identity')
    throw new Refused(415, 'unsupported-media-type', 'Send the body as it is, without Content-Encoding.')
  })
  const admission = limitBodies(app)
  const bodyOptionsOf = (route: ReadyRoute) => {
    const limit = bodyLimitOf(route)
    const senderOf = (request: FastifyRequest) => bodySender(services, route, request)
    return { bodyLimit: limit, preParsing: admission({ limit, senderOf, always: route.admits !== undefined }) }
  }
  health(app, services)
  openApi(app, services)
  for (const route of services.routes.routes) {
    app.route({
      method: route.endpoint.method,
      url: `/api${route.endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
      handler: handlerOf(services, route),
      ...(route.endpoint.method === 'GET' ? {} : bodyOptionsOf(route)),
    })
  }
  const page = await portal(app, settings)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] as string
    const ofApi = path === '/api' || path.startsWith('/api/')
    if (noPages.test(path)) return answerProblem(notFound(), request, reply)
    if (!ofApi && (request.method === 'GET' || request.method === 'HEAD')) return page(request, reply)
    const allowed = ofApi ? methodsOf(services, path.slice('/api'.length)) : ['GET', 'HEAD']
    if (allowed.length === 0) return answerProblem(notFound(), request, reply)
    reply.header('allow', allowed.join(', '))
    return answerProblem(
      new Refused(405, 'method-not-allowed', `This address takes ${allowed.join(', ')}, not ${request.method}.`),
      request,
      reply,
    )
  })
  return app
}

/** The addresses that Fastify trusts in X-Forwarded-For, from the connection to the left. */
const trustedHops = (proxies: AppSettings['trustProxy']) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies

/** The methods that a path of the API accepts. */
function methodsOf(services: Services, path: string): string[] {
  const methods = services.routes.routes
    .filter(({ endpoint }) => new RegExp(`^${endpoint.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(({ endpoint }) => endpoint.method as string)
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
}
