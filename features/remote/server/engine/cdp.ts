import type { Readable, Writable } from 'node:stream'

export type Params = Readonly<Record<string, unknown>>
type Listener<T> = (params: T, sessionId: string | undefined) => void

/** Chromium's protocol over its debugging pipe: nobody else on the machine can open a pipe. */
export interface Cdp {
  /** What Chromium answers; the caller knows the method's shape. */
  send<T = unknown>(method: string, params?: Params, sessionId?: string): Promise<T>
  /** Sends and does not wait: a page that goes away answers nothing. */
  tell(method: string, params?: Params, sessionId?: string): void
  on<T>(method: string, listener: Listener<T>): void
  /** The browser is gone: nothing will be answered. */
  end(): void
}

const END = 0

export function createCdp(input: Writable, output: Readable): Cdp {
  let serial = 0
  let isOver = false
  const waiting = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>()
  const listeners = new Map<string, Listener<never>[]>()
  let kept: Buffer[] = []

  const receive = (text: string) => {
    const { id, result, error, method, params, sessionId } = JSON.parse(text) as Params
    if (id === undefined) {
      for (const listener of listeners.get(method as string) ?? []) listener(params as never, sessionId as string | undefined)
      return
    }
    const asked = waiting.get(id as number)
    waiting.delete(id as number)
    if (error) asked?.failed(new Error(String((error as Params)['message'])))
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

  const send = <T>(method: string, params: Params = {}, sessionId?: string) =>
    new Promise<T>((done, failed) => {
      if (isOver) return failed(new Error('the browser is gone'))
      const id = ++serial
      waiting.set(id, { done: done as (result: unknown) => void, failed })
      input.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`)
    })
  return {
    send,
    tell: (method, params, sessionId) => void send(method, params, sessionId).catch(() => undefined),
    on: (method, listener) => void listeners.set(method, [...(listeners.get(method) ?? []), listener]),
    end,
  }
}
