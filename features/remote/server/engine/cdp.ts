import type { Readable, Writable } from 'node:stream'

export type CdpParams = Readonly<Record<string, unknown>>
type Listener<T> = (params: T, sessionId: string | undefined) => void

/** Chrome DevTools Protocol over the debugging pipe, which no other process on the machine can open. */
export interface Cdp {
  /** Sends a command and resolves to its result; the caller names the result's type. */
  send<T = unknown>(method: string, params?: CdpParams, sessionId?: string): Promise<T>
  /** Sends a command without waiting: a page that closes never responds. */
  tell(method: string, params?: CdpParams, sessionId?: string): void
  on<T>(method: string, listener: Listener<T>): void
  /** Call when the browser is gone: pending commands fail. */
  end(): void
}

const END = 0

export function createCdp(input: Writable, output: Readable): Cdp {
  let serial = 0
  let isOver = false
  const waiting = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>()
  const listeners = new Map<string, Listener<unknown>[]>()
  let kept: Buffer[] = []

  const receive = (text: string) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text) as CdpParams
    if (id === undefined) {
      for (const listener of listeners.get(method as string) ?? []) listener(params, sessionId as string | undefined)
      return
    }
    const asked = waiting.get(id as number)
    waiting.delete(id as number)
    if (error) asked?.failed(new Error(String((error as CdpParams)['message'])))
    else asked?.done(result)
  }
  output.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let at = rest.indexOf(END); at >= 0; at = rest.indexOf(END)) {
      const text = Buffer.concat([...kept, rest.subarray(0, at)]).toString('utf8')
      kept = []
      rest = rest.subarray(at + 1)
      receive(text)
    }
    if (rest.length) kept.push(rest)
  })
  const end = () => {
    isOver = true
    for (const { failed } of waiting.values()) failed(new Error('the browser is gone'))
    waiting.clear()
  }
  for (const stream of [input, output]) stream.on('error', end).on('close', end)

  const send = <T>(method: string, params: CdpParams = {}, sessionId?: string) =>
    new Promise<T>((done, failed) => {
      if (isOver) return failed(new Error('the browser is gone'))
      const id = ++serial
      waiting.set(id, { done: done as (result: unknown) => void, failed })
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`)
    })
  return {
    send,
    tell: (method, params, sessionId) => void send(method, params, sessionId).catch(() => undefined),
    on: (method, listener) => void listeners.set(method, [...(listeners.get(method) ?? []), listener as Listener<unknown>]),
    end,
  }
}
