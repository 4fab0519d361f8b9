import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Failure } from '#platform/shared/errors.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import type { Ctx, Deps, Handler } from '../feature.ts'
import { transact } from '../database/transact.ts'
import type { TextFormatter } from '../text-formatter.ts'
import { resolveErrorStatus, buildFailureEnvelope, readSingleHeader } from './http-reply.ts'
import { toCanonicalJson, findStoredReply, runOnceByKey } from './idempotency.ts'
import type { StoredReply } from './idempotency.ts'

/**
 * Commits effect, stored reply and key together. A refusal rolls back its effects but is stored as the reply (K6). Without a key, where
 * that is allowed, the effect is one transaction and nothing is stored.
 */
export async function runOnce(
  options: { readonly deps: Deps; readonly speak: TextFormatter },
  ctx: Ctx,
  {
    request,
    endpoint,
    input,
    run,
  }: {
    readonly request: FastifyRequest
    readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'idempotency'> & Pick<Handler<Endpoint>, 'before'>
    readonly input: unknown
    readonly run: (tx: Ctx['tx']) => Promise<StoredReply>
  },
): Promise<StoredReply> {
  const key = readSingleHeader(request, 'idempotency-key')
  if (!key && endpoint.idempotency === 'optional') {
    await endpoint.before?.(ctx, input)
    return transact(options.deps.db, ctx.actor, run)
  }
  if (!key || key.length > 200) throw new Failure('IDEMPOTENCY_KEY_REQUIRED')
  const owner = ctx.actor.kind === 'anonymous' ? `anonymous:${ctx.ip}` : `${ctx.actor.kind}:${ctx.actor.id}`
  // HMAC under the installation's key: a body may hold a payment password, which a plain hash would reveal.
  const bodies = options.deps.secretKeys.map((secretKey) => createHmac('sha256', secretKey).update(toCanonicalJson(input)).digest('hex'))
  const keyed = { owner, key, route: `${endpoint.method} ${endpoint.path}`, bodies }
  if (endpoint.before) {
    const kept = await findStoredReply(options.deps.db, keyed)
    if (kept) return kept
    await endpoint.before(ctx, input)
  }
  return transact(options.deps.db, ctx.actor, (tx) =>
    runOnceByKey(tx, keyed, async () => {
      try {
        return await tx.savepoint(() => run(tx))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const refusal = resolveErrorStatus(error, request)
        // Neither answers the request, so the client may retry with the same key.
        if (refusal.status >= 500 || refusal.status === 429) throw error
        return { status: refusal.status, body: buildFailureEnvelope(options.speak, ctx.lang, { code: refusal.code, failure: error }) }
      }
    }),
  )
}
