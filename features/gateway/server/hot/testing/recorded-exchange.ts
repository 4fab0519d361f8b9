import { expect } from 'vitest'
import type { UpstreamHandler, UpstreamHeaders } from '../deps.ts'
import { waitForCondition } from './lab.ts'

/** Upstream handler that records its callbacks and asserts that none follows the end. */
export interface RecordedExchange extends UpstreamHandler {
  status: number
  headers: UpstreamHeaders
  body: string
  parts: number
  end: 'open' | 'ended' | 'failed' | 'timed out'
  error: string
  onTold: ((what: string) => void) | undefined
  exchange: { abort(): void; pause(): void; resume(): void }
}

export function createRecordedExchange(): RecordedExchange {
  const told: RecordedExchange = {
    status: 0,
    headers: {},
    body: '',
    parts: 0,
    end: 'open',
    error: '',
    onTold: undefined,
    exchange: { abort: () => undefined, pause: () => undefined, resume: () => undefined },
    onHead(status, headers) {
      told.status = status
      told.headers = headers
      told.onTold?.('head')
    },
    onData(data) {
      told.body += data.toString()
      told.parts++
      told.onTold?.('data')
    },
    onEnd() {
      expect(told.end).toBe('open')
      told.end = 'ended'
      told.onTold?.('end')
    },
    onError(error, isTimeout) {
      expect(told.end).toBe('open')
      told.end = isTimeout ? 'timed out' : 'failed'
      told.error = error.message
    },
  }
  return told
}

export const waitForExchangeEnd = (told: RecordedExchange): Promise<void> => waitForCondition(() => told.end !== 'open')
