import type { FastifyRequest } from 'fastify'
import { Failure } from '#platform/shared/errors.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { readOnlyDb } from '../database/read-only.ts'
import type { Actor } from '../database/transact.ts'
import type { Ctx, Deps, Feature } from '../feature.ts'
import { headerOf, langOf } from './http-reply.ts'
import type { Origins } from './origins.ts'

interface ContextOptions {
  readonly deps: Deps
  readonly surface?: 'customers' | 'operators'
  readonly origins?: Origins
}

/** Authenticates the caller and builds the verb's context; refuses callers without access to the endpoint. */
export async function openContext(options: ContextOptions, request: FastifyRequest, endpoint: Endpoint, signIn: Feature | undefined): Promise<Ctx> {
  if (options.surface === 'operators') return openOperatorContext(options, request, endpoint, signIn)
  const { deps, origins } = options
  const userAgent = headerOf(request, 'user-agent') ?? ''
  const token = headerOf(request, 'accesstoken')
  const session = token ? await signIn?.authenticate?.(deps, token, { ip: request.ip, userAgent }) : undefined
  if (endpoint.access !== 'public' && !session) {
    const reason = token ? await signIn?.sessionEndReason?.(deps, token) : undefined
    throw reason ? new Failure('SIGNED_OUT_ELSEWHERE', { reason }) : new Failure('SESSION_EXPIRED')
  }
  if (endpoint.access === 'operator') throw new Failure('FORBIDDEN')
  if (session?.readOnly && (endpoint.method !== 'GET' || endpoint.inPerson)) throw new Failure('VIEW_ONLY')
  const actor: Actor = session ? { kind: 'user', id: session.userId } : { kind: 'anonymous', id: 'anonymous' }
  return {
    ...deps,
    ...(session?.readOnly ? { db: readOnlyDb(deps.db) } : {}),
    ...(origins ? { siteUrl: () => origins.of(request) } : {}),
    actor,
    tx: undefined,
    userAgent,
    device: deviceOf(request),
    userId: session?.userId ?? '',
    sessionId: session?.sessionId ?? '',
    lang: langOf(request),
    clientType: headerOf(request, 'clienttype') === '2' ? 2 : 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

async function openOperatorContext({ deps }: ContextOptions, request: FastifyRequest, endpoint: Endpoint, signIn: Feature | undefined): Promise<Ctx> {
  const userAgent = headerOf(request, 'user-agent') ?? ''
  const token = headerOf(request, 'operatortoken')
  const operator = token ? await signIn?.authenticateOperator?.(deps, token, { ip: request.ip, userAgent }) : undefined
  if (endpoint.access !== 'public' && !operator) throw new Failure('SESSION_EXPIRED')
  if (endpoint.permission && !operator?.permissions.has(endpoint.permission)) throw new Failure('FORBIDDEN')
  return {
    ...deps,
    actor: operator ? { kind: 'operator', id: operator.id } : { kind: 'anonymous', id: 'anonymous' },
    operator,
    tx: undefined,
    userAgent,
    device: deviceOf(request),
    userId: '',
    sessionId: operator?.sessionId ?? '',
    lang: langOf(request),
    clientType: 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

const deviceOf = (request: FastifyRequest): string | undefined => /^\w{16,40}$/.exec(headerOf(request, 'device') ?? '')?.[0]
