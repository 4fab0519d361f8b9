import type { Heard } from '../rules.ts'
import { isStirred, vendorTime } from './echo.ts'
import type { Talk } from './talk.ts'

/** Nobody says anything that is answered in less. */
const UTTERANCE_MS = 1_000
/** What a network holds up and delivers at once. */
const SLACK_MS = 1_500
/** Speech further ahead of its time waits, whoever pays. */
export const FURTHEST = 8

/** Speech has come, in seconds of sound. */
export function hear(talk: Talk, seconds: number): void {
  talk.heardTo = Math.max(talk.heardTo, Date.now()) + seconds * 1_000
}

/**
 * Utterances beside the last that a vendor which hears by itself may answer in one breath: speech that comes faster than it was spoken may be
 * many of them, and each answer is billed with the whole session as its input. Speech that the vendor has not had time for counts too, as it may be
 * answered in one breath once it has.
 */
export function ahead(talk: Talk): number {
  return Math.max(0, Math.ceil((talk.heardTo - vendorTime(talk) - SLACK_MS) / UTTERANCE_MS))
}

/** Responses that may begin beside the one that this frame is about, before any of them is seen. */
export function further(talk: Talk, heard: Heard): number {
  if (heard.asks !== true) return heard.speech === undefined ? 0 : ahead(talk)
  return isStirred(talk) ? 1 + ahead(talk) : 0
}
