import { crashPoint } from '#platform/server/crash.ts'
import type { UpstreamClient, UpstreamHandler } from '../hot/deps.ts'

/** Exposes the steps of a dial as crash points. Returns the client unchanged unless a crash is configured. */
export function withCrashPoints(client: UpstreamClient, crashAt: unknown): UpstreamClient {
  if (typeof crashAt !== 'string' || !/^(?:@|gateway\.)/.test(crashAt)) return client
  return {
    ...client,
    send: (request, handler) => {
      crashPoint('gateway.before-dial')
      const exchange = client.send(request, withHandlerCrashPoints(handler))
      crashPoint('gateway.after-dial')
      return exchange
    },
  }
}

function withHandlerCrashPoints(handler: UpstreamHandler): UpstreamHandler {
  return {
    onHead: (status, headers) => {
      crashPoint('gateway.before-first-byte')
      handler.onHead(status, headers)
    },
    onData: (data) => {
      handler.onData(data)
      crashPoint('gateway.after-first-byte')
    },
    onEnd: () => {
      crashPoint('gateway.before-last-byte')
      handler.onEnd()
    },
    onError: (error, isTimeout) => handler.onError(error, isTimeout),
  }
}
