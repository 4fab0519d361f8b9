import type { Heard } from '../rules.ts'
import { isOver, isStirred, vendorTime } from './echo.ts'
import type { Talk } from './talk.ts'

/** Nobody says anything that is answered in less. */
const UTTERANCE_MS = 1_000
/** What a network holds up and delivers at once. */
const SLACK_MS = 1_500
/** Speech further ahead of its time waits, whoever pays. */
export const FURTHEST = 8
/** A second of sound is never cut more exactly than this. */
const ROUNDING = 0.05

/** Speech has come, in seconds of sound. */
export function hear(talk: Talk, seconds: number): void {
  const now = Date.now()
  talk.heardTo = Math.max(talk.heardTo, now) + seconds * 1_000
  // a whole utterance at once: nobody spoke it in that moment
  if (talk.heardTo - now > SLACK_MS || seconds + ROUNDING >= UTTERANCE_MS / 1_000) talk.spoken.breathAt = now
}

/** Speech goes on to the vendor, perhaps after a wait. */
export function speak(talk: Talk, seconds: number): void {
  const { spoken } = talk
  const now = Date.now()
  // what waited does not make room for what comes right behind it
  talk.heardTo = Math.max(talk.heardTo, now + Math.min(seconds * 1_000, UTTERANCE_MS))
  if (unanswered(talk) === 0) spoken.room = 0
  spoken.room -= seconds
  for (; spoken.room < -ROUNDING; spoken.room++) spoken.wentAt.push(now)
}

/** The vendor has begun to answer by itself: what was said first, as far as one can tell. */
export const answered = ({ spoken }: Talk): void => void spoken.wentAt.shift()

/**
 * Utterances beside the last that a vendor which hears by itself may answer in one breath: speech that comes faster than it was spoken may be
 * many of them, and each answer is billed with the whole session as its input. Speech that the vendor has not had time for counts too, as it may be
 * answered in one breath once it has.
 */
function ahead(talk: Talk): number {
  return Math.max(0, Math.ceil((talk.heardTo - vendorTime(talk) - SLACK_MS) / UTTERANCE_MS))
}

/** Utterances that went to the vendor and may still be answered: it begins when it pleases. */
function unanswered(talk: Talk): number {
  const { wentAt } = talk.spoken
  while (wentAt.length > 0 && isOver(talk, wentAt[0]!)) wentAt.shift()
  return wentAt.length
}

/** Utterances that went before a time and may still be answered; what was typed counts as one. */
export function saidBefore(talk: Talk, at: number): number {
  const spoken = unanswered(talk) === 0 ? 0 : talk.spoken.wentAt.filter((wentAt) => wentAt <= at).length
  return spoken === 0 && isStirred(talk) && talk.stirredAt <= at ? 1 : spoken
}

/** Who speaks in real time is answered once at a time; where speech came ahead of it, all that the vendor may still answer counts. */
function beside(talk: Talk, own: number): number {
  const before = unanswered(talk)
  const { breathAt } = talk.spoken
  return breathAt > 0 && !isOver(talk, breathAt) ? Math.max(ahead(talk), before + own) : ahead(talk)
}

/** Responses that may begin beside the one that this frame is about, before any of them is seen. */
export function further(talk: Talk, heard: Heard): number {
  if (heard.asks === true) return isStirred(talk) ? 1 + beside(talk, 0) : 0
  if (heard.speech === undefined) return 0
  return beside(talk, Math.max(0, Math.ceil(heard.speech - talk.spoken.room - ROUNDING)) - 1)
}
