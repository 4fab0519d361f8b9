import type { ClientFrame } from '../rules.ts'
import { isAnswerTimeOver, mayAutoAnswer, getVendorTime } from './echo.ts'
import type { VendorSession } from './talk.ts'

/** Shortest utterance that a vendor answers, in ms. */
const UTTERANCE_MS = 1_000
/** Audio that a network may delay and deliver at once, in ms. */
const SLACK_MS = 1_500
/** Maximum number of further responses; speech beyond it waits, whatever the balance. */
export const MAX_FURTHER_RESPONSES = 8
/** Rounding tolerance of audio frames, in seconds. */
const ROUNDING = 0.05

/** Records received speech, in seconds of sound. */
export function recordReceivedSpeech(talk: VendorSession, seconds: number): void {
  const now = Date.now()
  talk.heardTo = Math.max(talk.heardTo, now) + seconds * 1_000
  // a whole utterance in one frame cannot be real-time speech
  if (talk.heardTo - now > SLACK_MS || seconds + ROUNDING >= UTTERANCE_MS / 1_000) talk.spoken.breathAt = now
}

/** Records that speech is forwarded to the vendor, perhaps after a wait. */
export function recordForwardedSpeech(talk: VendorSession, seconds: number): void {
  const { spoken } = talk
  const now = Date.now()
  // speech that waited makes no room for the next frame
  talk.heardTo = Math.max(talk.heardTo, now + Math.min(seconds * 1_000, UTTERANCE_MS))
  if (countUnanswered(talk) === 0) spoken.room = 0
  spoken.room -= seconds
  for (; spoken.room < -ROUNDING; spoken.room++) spoken.wentAt.push(now)
}

/** Records that the vendor began an automatic answer: presumably to the earliest speech. */
export const recordAutoAnswer = ({ spoken }: VendorSession): void => void spoken.wentAt.shift()

/**
 * Utterances besides the last that a vendor with automatic answers may answer at once. Speech that arrives faster than real time may
 * contain many, and each answer is billed with the whole session as its input. Speech that the vendor has not processed yet counts
 * too, because it may be answered at once later.
 */
function countUtterancesAhead(talk: VendorSession): number {
  return Math.max(0, Math.ceil((talk.heardTo - getVendorTime(talk) - SLACK_MS) / UTTERANCE_MS))
}

/** Utterances sent to the vendor that may still be answered. */
function countUnanswered(talk: VendorSession): number {
  const { wentAt } = talk.spoken
  while (wentAt.length > 0 && isAnswerTimeOver(talk, wentAt[0]!)) wentAt.shift()
  return wentAt.length
}

/** Utterances sent before a time that may still be answered; typed input counts as one. */
export function countSentBefore(talk: VendorSession, at: number): number {
  const spoken = countUnanswered(talk) === 0 ? 0 : talk.spoken.wentAt.filter((wentAt) => wentAt <= at).length
  return spoken === 0 && mayAutoAnswer(talk) && talk.stirredAt <= at ? 1 : spoken
}

/**
 * Utterances besides this one that may be answered. Real-time speech gets one answer at a time; if speech ran ahead, everything
 * still unanswered counts.
 */
function countOtherAnswers(talk: VendorSession, own: number): number {
  const before = countUnanswered(talk)
  const { breathAt } = talk.spoken
  return breathAt > 0 && !isAnswerTimeOver(talk, breathAt) ? Math.max(countUtterancesAhead(talk), before + own) : countUtterancesAhead(talk)
}

/** Number of further responses that this frame may trigger before any of them is seen. */
export function countFurtherResponses(talk: VendorSession, heard: ClientFrame): number {
  if (heard.asks === true) return mayAutoAnswer(talk) ? 1 + countOtherAnswers(talk, 0) : 0
  if (heard.speech === undefined) return 0
  return countOtherAnswers(talk, Math.max(0, Math.ceil(heard.speech - talk.spoken.room - ROUNDING)) - 1)
}
