import type { Echo, Talk } from './talk.ts'
import { changed } from './waking.ts'

/**
 * How far the vendor has come. Time passes while a vendor, its network or this process stands still, and what was said meanwhile is answered all
 * at once afterwards; so what counts is a ping that goes behind what was said, and comes back behind what the vendor had answered by then.
 */

/** Between an echo and the next call, while the vendor may still answer what was said. */
const EVERY_MS = 250
/** A vendor that sends frames for this long without an echo sends none at all, although RFC 6455 (5.5.3) requires them: elapsed time counts instead. */
const MUTE_MS = 20_000
/** So does one that says nothing at all for this long, while this process ran. Below the time that a frame waits for money. */
const SILENT_MS = 45_000
/** The most that one look counts: a longer gap was a pause of this process. */
const MOST_BETWEEN_LOOKS_MS = 1_000
/** Delayed frames arrive with the echo right behind them. */
const BEHIND_MS = 1_000
/** A vendor that has heard speech begins to answer within this. */
const ANSWERED_MS = 5_000
/** A vendor that sends no echo for this long has lost its connection. */
const LOST_MS = 120_000

/** `inTurn` does its work behind the frames that came before. Call once, at the beginning. */
export function listenForEchoes(talk: Talk, inTurn: (work: () => void) => void): void {
  talk.upstream.on('pong', (data) => inTurn(() => echoed(talk, Number(data.toString()))))
  ping(talk)
}

/** Something is about to be said that the vendor may answer unasked. */
export function callAfter(talk: Talk): void {
  const { echo } = talk
  if (echo.pingedAt !== undefined || echo.timer !== undefined) return
  echo.heardUntil = Date.now()
  ping(talk)
}

/** The time that the vendor has come to, at most now; ms. */
export function vendorTime({ echo }: Pick<Talk, 'echo'>): number {
  const now = Date.now()
  return isMute(echo, now) ? now : Math.min(echo.heardUntil, now)
}

/**
 * Call for every frame of the vendor. Silence before the first echo may be a pause, of the vendor or of this process, after which everything
 * that was said is answered; only frames without an echo show that none will come.
 */
export function heardWithoutEcho({ echo }: Pick<Talk, 'echo'>): void {
  if (echo.echoes) return
  const now = Date.now()
  echo.spokeAt ??= now
  if (now - echo.spokeAt >= MUTE_MS) echo.muteAt ??= now + BEHIND_MS
}

/** Call at every look at the session. */
export function countSilence({ echo }: Pick<Talk, 'echo'>, now: number): void {
  echo.silentMs += Math.min(Math.max(0, now - echo.lookedAt), MOST_BETWEEN_LOOKS_MS)
  echo.lookedAt = now
}

const isMute = ({ echoes, muteAt = Infinity, silentMs }: Echo, now: number): boolean => !echoes && (now >= muteAt || silentMs >= SILENT_MS)

/** Nothing that was said will be answered any more. */
export const isLost = ({ echo }: Pick<Talk, 'echo'>, now: number): boolean => echo.echoes && echo.pingedAt !== undefined && now - echo.pingedAt >= LOST_MS

/**
 * What was said at a time has been heard, and the vendor has had time to answer it since. The time it took to get there does not count: a vendor
 * that stood still has heard nothing meanwhile, and begins to answer only then.
 */
export function isOver({ echo }: Pick<Talk, 'echo'>, saidAt: number): boolean {
  const now = Date.now()
  return isMute(echo, now) ? now - saidAt >= ANSWERED_MS : saidAt < echo.overTo
}

/** What was said may still be answered unasked. */
export const isStirred = (talk: Talk): boolean => talk.stirredAt > 0 && !isOver(talk, talk.stirredAt)

function ping(talk: Talk): void {
  const { echo, upstream } = talk
  echo.timer = undefined
  if (talk.over || upstream.readyState !== upstream.OPEN) return
  echo.pingedAt = Date.now()
  upstream.ping(String(echo.pingedAt))
}

function echoed(talk: Talk, at: number): void {
  const { echo } = talk
  if (at !== echo.pingedAt) return
  echo.pingedAt = undefined
  echo.heardUntil = at
  echo.echoes = true
  echo.back.push({ sentAt: at, backAt: Date.now() })
  // this ping went when that one had been back for as long as an answer takes
  while (echo.back.length > 0 && at - echo.back[0]!.backAt >= ANSWERED_MS) echo.overTo = echo.back.shift()!.sentAt
  const isAwaited = talk.waiting.length > 0
  changed(talk)
  if (!talk.over && (isAwaited || talk.heardTo > at || isStirred(talk))) echo.timer = setTimeout(() => ping(talk), EVERY_MS).unref()
}
