import type { PongState, VendorSession } from './talk.ts'
import { notifySessionChange } from './session-changes.ts'

/**
 * Tracks the vendor's progress with pings. Elapsed time is no measure: a vendor, network or process may stall and later answer
 * everything at once. A ping follows the frames sent before it, and its pong follows the vendor's answers up to then.
 */

/** Interval between a pong and the next ping while the vendor may still answer, in ms. */
const PING_INTERVAL_MS = 250
/** A vendor that sends frames for this long without a pong sends none, although RFC 6455 (5.5.3) requires them: elapsed time counts instead. */
const MUTE_AFTER_MS = 20_000
/** The same for a vendor that sends nothing at all while this process ran. Shorter than a frame's wait for money. */
const SILENT_AFTER_MS = 45_000
/** Maximum that one check counts: a longer gap was a pause of this process. */
const MAX_CHECK_GAP_MS = 1_000
/** Delayed frames arrive with the pong right behind them. */
const PONG_DELAY_MS = 1_000
/** A vendor begins to answer speech within this, in ms. */
const ANSWER_TIME_MS = 5_000
/** A vendor without a pong for this long has lost its connection; in ms. */
const LOST_AFTER_MS = 120_000

/** Starts the pings; call once. `inTurn` runs its work after the frames received before. */
export function startPings(talk: VendorSession, inTurn: (work: () => void) => void): void {
  talk.upstream.on('pong', (data) => inTurn(() => handlePong(talk, Number(data.toString()))))
  sendPing(talk)
}

/** Call before sending anything that the vendor may answer automatically. */
export function schedulePing(talk: VendorSession): void {
  const { echo } = talk
  if (echo.pingedAt !== undefined || echo.timer !== undefined) return
  echo.heardUntil = Date.now()
  sendPing(talk)
}

/** Time up to which the vendor has received everything, at most now; ms. */
export function getVendorTime({ echo }: Pick<VendorSession, 'echo'>): number {
  const now = Date.now()
  return isMute(echo, now) ? now : Math.min(echo.heardUntil, now)
}

/**
 * Call for every frame of the vendor. Silence before the first pong may be a pause of the vendor or of this process, after which
 * everything is answered; only frames without a pong show that none will come.
 */
export function recordFrameWithoutPong({ echo }: Pick<VendorSession, 'echo'>): void {
  if (echo.echoes) return
  const now = Date.now()
  echo.spokeAt ??= now
  if (now - echo.spokeAt >= MUTE_AFTER_MS) echo.muteAt ??= now + PONG_DELAY_MS
}

/** Call at every check of the session. */
export function recordSilence({ echo }: Pick<VendorSession, 'echo'>, now: number): void {
  echo.silentMs += Math.min(Math.max(0, now - echo.lookedAt), MAX_CHECK_GAP_MS)
  echo.lookedAt = now
}

const isMute = ({ echoes, muteAt = Infinity, silentMs }: PongState, now: number): boolean => !echoes && (now >= muteAt || silentMs >= SILENT_AFTER_MS)

/** True if the connection is lost: nothing sent before will be answered. */
export const isUpstreamLost = ({ echo }: Pick<VendorSession, 'echo'>, now: number): boolean =>
  echo.echoes && echo.pingedAt !== undefined && now - echo.pingedAt >= LOST_AFTER_MS

/**
 * True if the vendor has received everything sent at `saidAt` and has had time to answer it. Time in transit does not count: a
 * stalled vendor has received nothing, and answers only afterwards.
 */
export function isAnswerTimeOver({ echo }: Pick<VendorSession, 'echo'>, saidAt: number): boolean {
  const now = Date.now()
  return isMute(echo, now) ? now - saidAt >= ANSWER_TIME_MS : saidAt < echo.overTo
}

/** True if input may still be answered automatically. */
export const mayAutoAnswer = (talk: VendorSession): boolean => talk.stirredAt > 0 && !isAnswerTimeOver(talk, talk.stirredAt)

function sendPing(talk: VendorSession): void {
  const { echo, upstream } = talk
  echo.timer = undefined
  if (talk.over || upstream.readyState !== upstream.OPEN) return
  echo.pingedAt = Date.now()
  upstream.ping(String(echo.pingedAt))
}

function handlePong(talk: VendorSession, at: number): void {
  const { echo } = talk
  if (at !== echo.pingedAt) return
  echo.pingedAt = undefined
  echo.heardUntil = at
  echo.echoes = true
  echo.back.push({ sentAt: at, backAt: Date.now() })
  // this ping went when that one had been back for as long as an answer takes
  while (echo.back.length > 0 && at - echo.back[0]!.backAt >= ANSWER_TIME_MS) echo.overTo = echo.back.shift()!.sentAt
  const isAwaited = talk.waiting.length > 0
  notifySessionChange(talk)
  if (!talk.over && (isAwaited || talk.heardTo > at || mayAutoAnswer(talk))) echo.timer = setTimeout(() => sendPing(talk), PING_INTERVAL_MS).unref()
}
