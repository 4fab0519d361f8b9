import { isMutatingCall } from '#platform/shared/is-mutating-call.ts'
import type { Contract, Endpoint, Envelope, FileReply, ReplyOf, SentOf } from '#platform/shared/contract.ts'
import { commonErrors, type Errors } from '#platform/shared/errors.ts'
import { toErrorTextKey, fill, type Texts } from '#platform/shared/texts.ts'
import { createApiError, BAD_REPLY, isUncertain, NETWORK_DOWN, TIMED_OUT, type ApiError } from './api-error.ts'
import { getClientType } from '../device.ts'
import { takeEarlyReply } from './early-call.ts'
import { getCurrentLang, translate } from '../i18n.ts'
import { getActionKey, settleAction } from './idempotency.ts'
import { callLatest } from './same-call.ts'
import { apiTarget, TARGET_HEADER } from '../state/api-target.ts'
import { endSession, getSessionToken, getTokenHeader } from '../state/session.ts'
import { webTexts } from '../texts.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Overrides the automatic key of one user action (see idempotency.ts). */
  readonly idempotencyKey?: string
  readonly timeoutMs?: number
  /** Never joined with an identical call in progress (see same-call.ts): polling. */
  readonly alone?: boolean
  /** Receives a large file in pieces as they arrive; the reply then has no bytes. Such a call is not retried. */
  readonly onPiece?: (piece: Uint8Array<ArrayBuffer>) => void
}
export type ApiCall<E extends Endpoint> = (
  ...args: {} extends SentOf<E> ? [input?: SentOf<E>, options?: CallOptions] : [input: SentOf<E>, options?: CallOptions]
) => Promise<ReplyOf<E>>
export type Api<C extends Contract> = { readonly [K in keyof C]: ApiCall<C[K]> }

const TIMEOUT_MS = 20_000
const RETRY_MS = 100
const SUCCESS = new Set([200, 0])
const SIGNED_OUT = new Set([401, 1005])
const VERSION = import.meta.env['VITE_VERSION'] as string | undefined

interface ApiFeature {
  readonly errors?: Errors
  readonly texts?: Texts
  /** Set for payments: calls are never joined. */
  readonly alone?: boolean
}

/**
 * Typed calls from a contract. `errors` and `texts` name the feature's refusals, so that `ApiError.errorName` is set
 * and the message follows the user's language; without them the server's own `msg` is shown.
 */
export function createApi<C extends Contract>(contract: C, feature: ApiFeature = {}): Api<C> {
  const calls = Object.entries(contract).map(([key, endpoint]) => [
    key,
    (input: unknown, options: CallOptions = {}) => sendCall(endpoint, (input ?? {}) as Record<string, unknown>, { ...feature, ...options }),
  ])
  return Object.fromEntries(calls) as Api<C>
}

interface Answer {
  readonly envelope: Envelope<unknown>
  readonly requestId: string | undefined
}

function toApiError({ envelope: { code, msg, data }, requestId }: Answer, { errors, texts }: ApiFeature): ApiError {
  const errorName = Object.entries({ ...commonErrors, ...errors }).find(([, spec]) => spec.code === code)?.[0]
  const own = (texts?.[getCurrentLang()] ?? {}) as Readonly<Record<string, string>>
  const text = errorName ? own[toErrorTextKey(errorName)] : undefined
  const values = data && typeof data === 'object' ? (data as Record<string, unknown>) : undefined
  return createApiError(text ? fill(text, values) : msg || translate(webTexts, 'serverError'), { code, errorName, requestId, data })
}

/** Headers sent with every call; other modules may add one. */
export const fixedHeaders: Record<string, string> = { ver: VERSION ?? 'dev' }

async function sendCall(endpoint: Endpoint, input: Record<string, unknown>, options: CallOptions & ApiFeature): Promise<unknown> {
  const { url, body } = resolveCallAddress(endpoint, input)
  const headers: Record<string, string> = { ...fixedHeaders, clientType: getClientType(), language: getCurrentLang() }
  if (apiTarget) headers[TARGET_HEADER] = apiTarget
  const token = getSessionToken()
  if (token) headers[getTokenHeader()] = token
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const action = `${endpoint.path} ${body ?? url}`
  const isKeyed = endpoint.idempotency !== undefined && isMutatingCall(endpoint, input)
  if (isKeyed) headers['Idempotency-Key'] = options.idempotencyKey ?? getActionKey(action)
  try {
    const go = (signal: AbortSignal | undefined) => {
      const send = () =>
        fetchOnce(url, { method: endpoint.method, headers, body, signal }, { ...options, timeoutMs: options.timeoutMs ?? endpoint.timeoutMs ?? TIMEOUT_MS })
      return endpoint.method === 'GET' && !options.onPiece ? retryOnce(send) : send()
    }
    const answer =
      options.alone || isKeyed ? await go(options.signal) : await callLatest(`${endpoint.method} ${url} ${body ?? ''} ${token ?? ''}`, go, options.signal)
    const { envelope, requestId } = answer
    if (!SUCCESS.has(envelope.code)) {
      if (SIGNED_OUT.has(envelope.code) && getSessionToken() === token) endSession(readEndReason(envelope.data))
      throw toApiError(answer, options)
    }
    const reply = endpoint.reply.safeParse(envelope.data ?? {})
    if (!reply.success) throw createApiError(translate(webTexts, 'badReply'), { code: BAD_REPLY, requestId })
    settleAction(action)
    return reply.data
  } catch (error) {
    if (!isUncertain(error)) settleAction(action)
    throw error
  }
}

/** Reads why the server ended this session: expired, or replaced by another one. */
function readEndReason(data: unknown): 'expired' | 'elsewhere' {
  return (data as { reason?: unknown } | null)?.reason === 'elsewhere' ? 'elsewhere' : 'expired'
}

/**
 * Builds a call's address: path parameters from the input, then the query (GET) or the body (POST). Empty values are left out, but in a
 * body null means "none" and is sent.
 */
export function resolveCallAddress(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  input: Readonly<Record<string, unknown>>,
): { url: string; body: string | undefined } {
  const rest = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined && value !== '' && (value !== null || endpoint.method === 'POST')),
  )
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name] ?? '')
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (endpoint.method === 'POST') return { url: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)])).toString()
  return { url: query ? `${path}?${query}` : path, body: undefined }
}

async function readResponseBody(response: Response, onPiece: CallOptions['onPiece']): Promise<Uint8Array<ArrayBuffer>> {
  if (!onPiece || !response.body) return new Uint8Array(await response.arrayBuffer())
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array()
    onPiece(value)
  }
}

async function fetchOnce(
  url: string,
  init: RequestInit,
  { timeoutMs, onPiece }: { readonly timeoutMs: number; readonly onPiece?: CallOptions['onPiece'] },
): Promise<Answer> {
  const { signal } = init
  const stop = new AbortController()
  const forward = () => stop.abort(signal?.reason)
  if (signal?.aborted) forward()
  signal?.addEventListener('abort', forward)
  let late = false
  const timer =
    timeoutMs > 0
      ? setTimeout(() => {
          late = true
          stop.abort()
        }, timeoutMs)
      : undefined
  try {
    const headers = init.headers as Record<string, string>
    const response = await (takeEarlyReply(url, headers['accessToken']) ?? fetch(url, { ...init, signal: stop.signal, credentials: 'omit' }))
    const requestId = response.headers.get('x-request-id') ?? undefined
    const filename = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    if (response.ok && filename !== undefined) {
      const file: FileReply = { type: response.headers.get('content-type') ?? '', filename, body: await readResponseBody(response, onPiece) }
      return { envelope: { code: 200, msg: '', data: file }, requestId }
    }
    const envelope = (await response.json().catch((error: unknown) => {
      if (stop.signal.aborted) throw error
      return undefined
    })) as Envelope<unknown> | undefined
    if (typeof envelope?.code === 'number') return { envelope, requestId }
    throw createApiError(translate(webTexts, 'badReply'), { code: response.ok ? BAD_REPLY : response.status, requestId })
  } catch (error) {
    if (late) throw createApiError(translate(webTexts, 'timedOut'), { code: TIMED_OUT })
    if (signal?.aborted || !(error instanceof TypeError)) throw error
    throw createApiError(translate(webTexts, 'networkDown'), { code: NETWORK_DOWN })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forward)
  }
}

async function retryOnce<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if ((error as Partial<ApiError>).code !== NETWORK_DOWN) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    return send()
  }
}
