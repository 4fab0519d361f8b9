/** One call out of the house. */
export interface OutCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Over the whole of it, the last byte of the answer included. */
  readonly deadlineMs: number
  /** A longer answer is refused. */
  readonly maxBytes?: number
}
export interface OutReply {
  readonly status: number
  /** A header's value, '' when absent. */
  readonly header: (name: string) => string
  readonly body: Buffer
}

/** A call that came to no answer, in words of our own: an error from below may carry headers, and with them a credential. */
export class NoReply extends Error {
  /** False where nothing was sent; else the other side may have acted on it. */
  readonly hasLeft: boolean
  constructor(message: string, hasLeft: boolean) {
    super(message)
    this.hasLeft = hasLeft
  }
}

const MAX_BYTES = 1_000_000
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT', 'CERT_HAS_EXPIRED'])

/** True when `fetch` failed before anything was sent; else the other side may have the request. */
export function neverLeft(problem: unknown): boolean {
  const code = ((problem as { cause?: { code?: string } } | undefined)?.cause?.code ?? '') as string
  return NO_CONNECTION.has(code)
}

/** Sends it and waits for the whole answer; redirects are not followed. What goes wrong is a `NoReply`. */
export async function callOut(send: typeof fetch, call: OutCall): Promise<OutReply> {
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
    const body = await bounded(reply, call.maxBytes ?? MAX_BYTES)
    return { status: reply.status, header: (name) => reply.headers.get(name) ?? '', body }
  } catch (error) {
    const why = over.aborted ? `${host} did not answer within ${call.deadlineMs} ms` : `the call to ${host} broke: ${kindOf(error)}`
    throw new NoReply(why, !neverLeft(error))
  }
}

async function bounded(reply: Response, max: number): Promise<Buffer> {
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

/** ECONNREFUSED, ENOTFOUND, UND_ERR_SOCKET: a code says enough and carries nothing. */
function kindOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string }
  return [code, cause?.code].find((each) => typeof each === 'string') ?? name ?? 'unknown'
}
