import { setTimeout as sleep } from 'node:timers/promises'

/** One request as the client saw it. */
export interface LoadReply {
  /** The gateway's call id; '' if no response head arrived. */
  readonly callId: string
  readonly kind: string
  /** 0 if the connection broke before the response head. */
  readonly status: number
  readonly bytes: number
  /** whole: complete. broken: the connection broke. left: the client disconnected on purpose. */
  readonly end: 'whole' | 'broken' | 'left'
  readonly faulty: boolean
  /** The end of the body, or of the error. */
  readonly text: string
  readonly retryAfter: string | null
}

export interface LoadOptions {
  readonly url: string
  readonly secret: () => string
  readonly workers: number
  /** Requests per second of all workers together; without it each worker sends its next request when the last one has ended. */
  readonly rate?: number
  /** Percentage of requests sent as Chat Completions, regardless of the model's own dialect. */
  readonly translated?: number
  /** Percentage of requests that hit an upstream fault, and of streams whose client disconnects. */
  readonly faults?: number
  readonly leavers?: number
  /** Tokens of the longest stream, at 5 ms and 4 tokens per event. */
  readonly longest?: number
  /** False for loads of hours: requests are not recorded. */
  readonly keep?: boolean
}

export interface RunningLoad {
  readonly seen: readonly LoadReply[]
  count(): number
  stop(): Promise<readonly LoadReply[]>
}

const VENDOR_FAULTS = ['error', 'overloaded', 'close', 'cut,event=3', 'mid-error', 'rate-limit', 'truncate'] as const
const MODELS = ['gpt-6-luna', 'claude-haiku-5-5', 'gemini-3.8-flash'] as const
const END: Readonly<Record<string, string>> = { gpt: '[DONE]', cla: 'message_stop', gem: 'finishReason' }

/** Generates constant load: JSON and streams, rotating through three dialects. */
export function startConstantLoad(options: LoadOptions): RunningLoad {
  const seen: LoadReply[] = []
  let stopped = false
  let number = 0
  const from = Date.now()
  const work = async () => {
    while (!stopped) {
      const mine = number++
      if (options.rate) await sleep(Math.max(0, from + (mine * 1000) / options.rate - Date.now()))
      const one = await send(options, mine)
      if (options.keep ?? true) seen.push(one)
      if (one.status !== 200) await sleep(50)
    }
  }
  const running = Array.from({ length: options.workers }, work)
  return {
    seen,
    count: () => number,
    stop: async () => {
      stopped = true
      await Promise.all(running)
      return seen
    },
  }
}

async function send(options: LoadOptions, number: number): Promise<LoadReply> {
  const model = MODELS[number % 3]!
  const stream = number % 2 === 0
  const translated = Math.random() * 100 < (options.translated ?? 0)
  const faulty = Math.random() * 100 < (options.faults ?? 0)
  const leaves = stream && !faulty && Math.random() * 100 < (options.leavers ?? 0)
  const tokens = stream ? 20 + (number % 7) * Math.ceil((options.longest ?? 200) / 7) : 20
  const fault = faulty ? `[[sandbox:fault=${VENDOR_FAULTS[number % VENDOR_FAULTS.length]}]]` : ''
  const prompt = `问 ${number} ${Math.random()} ${fault}[[sandbox:tokens=${tokens}]]`
  const [path, body] = translated ? chatOf(model, stream, { prompt, cap: tokens + 20 }) : buildLoadRequest(model, stream, { prompt, cap: tokens + 20 })
  const left = new AbortController()
  let status = 0
  let callId = ''
  let bytes = 0
  let text = ''
  let retryAfter: string | null = null
  const result = (end: LoadReply['end']): LoadReply => ({ callId, kind: `${model}${stream ? ' stream' : ''}`, status, bytes, end, faulty, text, retryAfter })
  try {
    const reply = await fetch(`${options.url}${path}`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${options.secret()}`, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(body),
      signal: left.signal,
    })
    status = reply.status
    callId = (reply.headers.get('x-mingxi-request-id') ?? '').replace(/^req_/, 'call_')
    retryAfter = reply.headers.get('retry-after')
    const decoder = new TextDecoder()
    for await (const chunk of reply.body!) {
      bytes += (chunk as Uint8Array).length
      text = (text + decoder.decode(chunk as Uint8Array, { stream: true })).slice(-400)
      if (leaves && bytes > 600) left.abort()
    }
    return result(!stream || status !== 200 || faulty || text.includes(END[translated ? 'gpt' : model.slice(0, 3)]!) ? 'whole' : 'broken')
  } catch (error) {
    if (!left.signal.aborted) text ||= String((error as Error).cause ?? error)
    return result(left.signal.aborted ? 'left' : 'broken')
  }
}

export function buildLoadRequest(model: string, stream: boolean, { prompt, cap }: { readonly prompt: string; readonly cap: number }): [string, object] {
  if (model.startsWith('gpt')) return chatOf(model, stream, { prompt, cap })
  if (model.startsWith('claude')) return ['/v1/messages', { model, stream, max_tokens: cap, messages: [{ role: 'user', content: prompt }] }]
  const contents = [{ role: 'user', parts: [{ text: prompt }] }]
  return [`/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`, { contents, generationConfig: { maxOutputTokens: cap } }]
}

const chatOf = (model: string, stream: boolean, { prompt, cap }: { readonly prompt: string; readonly cap: number }): [string, object] => [
  '/v1/chat/completions',
  { model, stream, max_tokens: cap, messages: [{ role: 'user', content: prompt }] },
]
