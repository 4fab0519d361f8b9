import type { FastifyReply, FastifyRequest } from 'fastify'
import { SUCCESS } from '#platform/shared/contract.ts'
import { commonErrors, Failure } from '#platform/shared/errors.ts'
import type { Errors } from '#platform/shared/errors.ts'
import { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { toErrorTextKey } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { READ_ONLY_STATE } from '../database/sessions.ts'
import type { Deps } from '../feature.ts'
import { stripQuery } from '../log.ts'
import type { TextFormatter } from '../text-formatter.ts'
import { isLang, DEFAULT_LANG } from '#platform/shared/languages.ts'

interface ErrorOptions {
  readonly deps: Pick<Deps, 'log'>
  readonly speak: TextFormatter
}

/** Sends any error in the envelope; a 429 or 503 includes `Retry-After`. */
export function sendError(
  options: ErrorOptions,
  error: unknown,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): FastifyReply {
  const failure = error instanceof Failure ? error : new Failure(resolveErrorName(error))
  const { code, status } = resolveErrorStatus(failure, request)
  if (status >= 500) options.deps.log.error({ err: error, requestId: request.id, path: stripQuery(request.url) }, 'request failed')
  const { retryAfterSeconds } = failure.data ?? {}
  if (status === 429 && typeof retryAfterSeconds === 'number') reply.header('retry-after', Math.ceil(retryAfterSeconds))
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
  return reply
    .status(status)
    .header('cache-control', 'no-store')
    .send(buildFailureEnvelope(options.speak, readLang(request), { code, failure, requestId: request.id }))
}

/** Framework errors have their own codes. Any other error is internal, and its message is never sent. */
export function resolveErrorName(error: unknown): string {
  const { statusCode, code } = error as { statusCode?: number; code?: string }
  if (statusCode === 413) return 'TOO_LARGE'
  if (statusCode && statusCode >= 400 && statusCode < 500) return 'BAD_INPUT'
  // A supplier error that the feature does not translate; the supplier's own message goes to the log only.
  if (error instanceof SupplierError) return 'UNAVAILABLE'
  if (code === '57014' || code === '55P03') return 'TIMEOUT'
  return code?.startsWith('08') || NO_DATABASE.has(code ?? '') || LOST_CONNECTION.test((error as Error).message) ? 'UNAVAILABLE' : 'INTERNAL'
}

/**
 * The database refuses connections, is read-only, out of disk, memory or connections, shutting down or starting:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const NO_DATABASE = new Set(['ECONNREFUSED', READ_ONLY_STATE, '53100', '53200', '53300', '57P01', '57P02', '57P03'])
/** Messages of pg errors without a code: no connection became free in time, or one was lost. */
const LOST_CONNECTION = /^(?:timeout exceeded when trying to connect|Connection terminated)/
const RETRY_AFTER_SECONDS = 1

/** Returns an error's number and status: the feature's own, else a common one, else an internal error. */
export function resolveErrorStatus(failure: Failure, request: FastifyRequest): { code: number; status: number } {
  const own = (request.routeOptions.config as { errors?: Errors }).errors
  return own?.[failure.errorName] ?? commonErrors[failure.errorName as keyof typeof commonErrors] ?? commonErrors.INTERNAL
}

export const buildSuccess = (speak: TextFormatter, lang: Lang, data: unknown) => ({ code: SUCCESS, msg: speak(lang, 'ok'), data })

export function buildFailureEnvelope(
  speak: TextFormatter,
  lang: Lang,
  { code, failure, requestId }: { readonly code: number; readonly failure: Failure; readonly requestId?: string },
): object {
  return { code, msg: speak(lang, toErrorTextKey(failure.errorName), failure.data), data: failure.data ?? null, ...(requestId ? { requestId } : {}) }
}

export function readLang(request: FastifyRequest): Lang {
  const lang = readSingleHeader(request, 'language')
  return isLang(lang) ? lang : DEFAULT_LANG
}

export function readSingleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
