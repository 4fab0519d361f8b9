import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Oracle } from '../kit/server.ts'
import { createAnthropicOracle } from '../anthropic/oracle.ts'
import { createGoogleOracle } from '../google/oracle.ts'
import { createOpenAiOracle } from '../openai/oracle.ts'
import type { Difference } from '../oracles/create-oracle.ts'
import { findEndpoint } from './endpoint.ts'
import type { Surface } from './read/ask.ts'

/** Oracles by the vendor whose shapes a request has. Cohere publishes no types here. */
export type ModelOracles = Readonly<Partial<Record<Surface, Oracle>>>

/** New oracles of all model vendors. `more`: differences of a server that adds to a vendor's interface. */
export async function createModelOracles(
  more: { readonly openai?: readonly Difference[]; readonly anthropic?: readonly Difference[] } = {},
): Promise<ModelOracles> {
  const [openai, anthropic, gemini] = await Promise.all([createOpenAiOracle(more.openai), createAnthropicOracle(more.anthropic), createGoogleOracle()])
  return { openai, anthropic, gemini }
}

/** Compares a request and its whole answer once it is sent. Answers that a magic input breaks are not the vendor's, nor are those cut off by the caller. */
export function observe(req: IncomingMessage, res: ServerResponse, oracles: ModelOracles): void {
  const { surface, action } = findEndpoint(req.url ?? '/', req.headers)
  const oracle = oracles[surface]
  if (!oracle || action === 'book' || action === 'nothing') return
  const received: Buffer[] = []
  const sent: Buffer[] = []
  req.on('data', (chunk: Buffer) => received.push(chunk))
  const { write, end, writeHead } = res
  let type = ''
  res.writeHead = ((...args: [number, ...unknown[]]) => {
    const headers = args.at(-1)
    if (headers !== null && typeof headers === 'object') type = String((headers as Record<string, unknown>)['content-type'] ?? type)
    return (writeHead as (...all: unknown[]) => ServerResponse).apply(res, args)
  }) as typeof writeHead
  const collect = (chunk: unknown): void => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) sent.push(Buffer.from(chunk as string))
  }
  res.write = ((...args: Parameters<typeof write>) => {
    collect(args[0])
    return write.apply(res, args)
  }) as typeof write
  res.end = ((...args: Parameters<typeof end>) => {
    collect(args[0])
    return end.apply(res, args)
  }) as typeof end
  res.on('finish', () => {
    const body = Buffer.concat(received).toString('utf8')
    if (/\[\[sandbox:[^\]]*fault=/.test(body)) return
    const url = new URL(req.url ?? '/', 'http://stand-in')
    const path = url.pathname.replace(/^\/sandbox\/upstream/, '').replace(/^\/(?!v\d)[a-z][a-z0-9-]*(?=\/)/, '')
    oracle.check(
      { method: req.method ?? 'GET', path, query: url.searchParams, headers: req.headers, body },
      { status: res.statusCode, headers: { 'content-type': type || String(res.getHeader('content-type') ?? '') }, body: Buffer.concat(sent) },
    )
  })
}
