import { lostCallError, wasNeverSent, SupplierError } from '#platform/shared/suppliers/supplier-error.ts'

export { wasNeverSent }

/** An outgoing HTTP request. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT'
  /** True if the request may have side effects; defaults to any method but GET. Decides how a lost response is treated. */
  readonly writes?: boolean
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Timeout for the whole request, including the last byte of the response. */
  readonly deadlineMs: number
  /** Maximum size of the response; a larger one is rejected. */
  readonly maxBytes?: number
}
export interface OutgoingReply {
  readonly status: number
  /** A header's value, '' if absent. */
  readonly header: (name: string) => string
  readonly body: Buffer
}

/** The request got no response. A `SupplierError` that omits the cause, whose headers may hold credentials. */
export class NoReplyError extends SupplierError {
  /** False if nothing was sent; otherwise the server may have acted on the request. */
  readonly hasLeft: boolean
  constructor(kind: 'retryable' | 'unknown', facts: { readonly reason: string; readonly detail: string; readonly hasLeft: boolean }) {
    super(kind, facts)
    this.hasLeft = facts.hasLeft
  }
}

const MAX_BYTES = 1_000_000

/** Sends a request and waits for the whole response; redirects are not followed. Throws `NoReplyError`. */
export async function sendOutgoingRequest(send: typeof fetch, call: OutgoingRequest): Promise<OutgoingReply> {
  const host = new URL(call.url).host
  const over = AbortSignal.timeout(call.deadlineMs)
  try {
    const reply = await send(call.url, {
      method: call.method,
      redirect: 'manual',
      signal: over,
      ...(call.headers ? { headers: call.headers } : {}),
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const body = await readBounded(reply, call.maxBytes ?? MAX_BYTES)
    return { status: reply.status, header: (name) => reply.headers.get(name) ?? '', body }
  } catch (error) {
    const { kind, reason } = lostCallError(error, { writes: call.writes ?? call.method !== 'GET', timedOut: over.aborted })
    const detail = over.aborted ? `${host} did not answer within ${call.deadlineMs} ms` : `the call to ${host} broke: ${readErrorCode(error)}`
    throw new NoReplyError(kind === 'rejected' ? 'unknown' : kind, { reason, detail, hasLeft: !wasNeverSent(error) })
  }
}

async function readBounded(reply: Response, max: number): Promise<Buffer> {
  if (!reply.body) return Buffer.from(await reply.arrayBuffer())
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += piece.byteLength
    if (size > max) throw Object.assign(new Error('too long'), { code: 'ANSWER_TOO_LONG' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Keeps only a code (ECONNREFUSED, ENOTFOUND, UND_ERR_SOCKET), which contains no secrets. */
function readErrorCode(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string }
  return [code, cause?.code].find((each) => typeof each === 'string') ?? name ?? 'unknown'
}
