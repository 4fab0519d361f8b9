import type { IncomingMessage, ServerResponse } from 'node:http'

/** How long a body may take to arrive on the platform's own routes, which take one megabyte at most. */
export const BODY_MS = 30_000

/**
 * Answers a body that is still arriving after `ms` with a 408 and closes its connection; otherwise a trickling body would hold it forever.
 */
export function limitBody(request: IncomingMessage, response: ServerResponse, ms: number): void {
  if (request.headers['transfer-encoding'] === undefined && (request.headers['content-length'] ?? '0') === '0') return
  const timer = setTimeout(() => {
    if (request.complete) return
    if (response.headersSent) return void request.destroy()
    response.writeHead(408, { 'connection': 'close', 'content-length': '0' })
    response.end(() => request.destroy())
  }, ms)
  timer.unref()
  const done = () => clearTimeout(timer)
  request.once('end', done)
  request.once('close', done)
}
