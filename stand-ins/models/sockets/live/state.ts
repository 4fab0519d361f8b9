import type { JsonObject } from '../../read/json.ts'
import { isSocketOpen } from '../session.ts'
import type { Session } from '../session.ts'

export const TOKENS_A_SECOND = { heard: 32, spoken: 25, picture: 258 }

/** A session: its setup and its messages so far. */
export interface LiveState {
  readonly at: Session
  /** Undefined before it is set up. */
  model: string | undefined
  setup: JsonObject
  /** Tokens of the prompt, which is the whole session. */
  readonly sums: { text: number; audio: number; image: number }
  /** Bytes of speech that are not counted yet. */
  buffered: number
  speaking: boolean
  calls: number
  active: { interrupted: boolean } | undefined
}

export function createLiveState(at: Session): LiveState {
  return { at, model: undefined, setup: {}, sums: { text: 0, audio: 0, image: 0 }, buffered: 0, speaking: false, calls: 0, active: undefined }
}

/** Google's frames are binary and contain JSON. */
export function sendLive({ at }: LiveState, message: JsonObject): void {
  if (isSocketOpen(at)) at.socket.send(Buffer.from(JSON.stringify(message)), { binary: true })
}
