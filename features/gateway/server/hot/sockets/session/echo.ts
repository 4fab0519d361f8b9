import type { Echo, Talk } from './talk.ts'
import { changed } from './waking.ts'

/**
 * How far the vendor has come. Time passes while a vendor, its network or this process stands still, and what was said meanwhile is answered all
 * at once afterwards; so what counts is a ping that goes behind what was said, and comes back behind what the vendor had answered by then.
 */

/** Between an echo and the next call, while the vendor may still answer what was said. */
const EVERY_MS = 250
/** A vendor that has not echoed by then does not echo at all, though RFC 6455 (5.5.3) asks for it: time itself must do. */
const MUTE_MS = 20_000
/** A vendor that has heard somebody begins to answer within this. */
const ANSWERED_MS = 5_000
/** A vendor that echoed before, and has not for so long, is gone without a word. */
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
export function vendorTime({ echo, startedAt }: Pick<Talk, 'echo' | 'startedAt'>): number {
  const now = Date.now()
  return isMute(echo, startedAt, now) ? now : Math.min(echo.heardUntil, now)
}

const isMute = (echo: Echo, startedAt: number, now: number): boolean => !echo.echoes && now - startedAt > MUTE_MS

/** Nothing that was said will be answered any more. */
export const isLost = ({ echo }: Pick<Talk, 'echo'>, now: number): boolean => echo.echoes && echo.pingedAt !== undefined && now - echo.pingedAt >= LOST_MS

/**
 * What was said at a time has been heard, and the vendor has had time to answer it since. The time it took to get there does not count: a vendor
 * that stood still has heard nothing meanwhile, and begins to answer only then.
 */
export function isOver({ echo, startedAt }: Pick<Talk, 'echo' | 'startedAt'>, saidAt: number): boolean {
  const now = Date.now()
  return isMute(echo, startedAt, now) ? now - saidAt >= ANSWERED_MS : saidAt < echo.overTo
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
