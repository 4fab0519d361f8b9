import type { WebSocket } from 'ws'
import type { ModelBook } from '../book/book.ts'
import { isObject, type Json, type JsonObject } from '../read/json.ts'

/** A socket of the sandbox, and the book that its answers go into. */
export interface Session {
  readonly socket: WebSocket
  readonly book: ModelBook
  readonly callId: string
  readonly chunkMs: number
}

export const isSocketOpen = ({ socket }: Session): boolean => socket.readyState === socket.OPEN

/** The object in a frame; undefined where there is none. */
export function objectIn(data: unknown): JsonObject | undefined {
  try {
    const value = JSON.parse((data as Buffer).toString()) as Json
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
