import type { FastifyRequest } from 'fastify'
import { Failure } from '#platform/shared/errors.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { createReadOnlyDb } from '../database/read-only.ts'
import type { Actor } from '../database/transact.ts'
import type { Ctx, Deps, Feature } from '../feature.ts'
import { readSingleHeader, readLang } from './http-reply.ts'
import type { Origins } from './origins.ts'

interface ContextOptions {
  readonly deps: Deps
  readonly surface?: 'customers' | 'operators'
  readonly origins?: Origins
}

/** Authenticates the caller and builds the verb's context; refuses callers without access to the endpoint. */
export async function openRequestContext(options: ContextOptions, request: FastifyRequest, endpoint: Endpoint, signIn: Feature | undefined): Promise<Ctx> {
  if (options.surface === 'operators') return openOperatorContext(options, request, endpoint, signIn)
  const { deps, origins } = options
  const userAgent = readSingleHeader(request, 'user-agent') ?? ''
  const token = readSingleHeader(request, 'accesstoken')
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
    ...(session?.readOnly ? { db: createReadOnlyDb(deps.db) } : {}),
    ...(origins ? { siteUrl: () => origins.of(request) } : {}),
    actor,
    tx: undefined,
    userAgent,
    device: readDevice(request),
    userId: session?.userId ?? '',
    sessionId: session?.sessionId ?? '',
    lang: readLang(request),
    clientType: readSingleHeader(request, 'clienttype') === '2' ? 2 : 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

async function openOperatorContext({ deps }: ContextOptions, request: FastifyRequest, endpoint: Endpoint, signIn: Feature | undefined): Promise<Ctx> {
  const userAgent = readSingleHeader(request, 'user-agent') ?? ''
  const token = readSingleHeader(request, 'operatortoken')
  const operator = token ? await signIn?.authenticateOperator?.(deps, token, { ip: request.ip, userAgent }) : undefined
  if (endpoint.access !== 'public' && !operator) throw new Failure('SESSION_EXPIRED')
  if (endpoint.permission && !operator?.permissions.has(endpoint.permission)) throw new Failure('FORBIDDEN')
  return {
    ...deps,
    actor: operator ? { kind: 'operator', id: operator.id } : { kind: 'anonymous', id: 'anonymous' },
    operator,
    tx: undefined,
    userAgent,
    device: readDevice(request),
    userId: '',
    sessionId: operator?.sessionId ?? '',
    lang: readLang(request),
    clientType: 1,
    requestId: request.id,
    ip: request.ip,
    log: deps.log.child({ requestId: request.id }),
  }
}

const readDevice = (request: FastifyRequest): string | undefined => /^\w{16,40}$/.exec(readSingleHeader(request, 'device') ?? '')?.[0]
