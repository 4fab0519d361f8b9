import type { CloseCause } from '../rules.ts'
import { mayAutoAnswer } from './echo.ts'
import { releaseDraft } from './secure.ts'
import type { VendorSession } from './talk.ts'
import { notifySessionChange } from './session-changes.ts'

/** True while a response runs or was requested: it is made and billed even if the client disconnects. */
export const isSessionBusy = (talk: VendorSession): boolean => talk.running.size > 0 || talk.asked !== undefined

export const isSessionQuiet = (talk: VendorSession): boolean => !isSessionBusy(talk) && !talk.isActing && !mayAutoAnswer(talk)

/** Closes the session once it is quiet: the client gets the reason, the vendor no more frames. */
export function closeWhenQuiet(talk: VendorSession, why: CloseCause): void {
  talk.ending ??= why
  if (!isSessionQuiet(talk) || talk.over) return
  if (!talk.gone) talk.protocol.goodbye(talk.client, talk.ending)
  finishSession(talk)
}

export function finishSession(talk: VendorSession): void {
  if (talk.over) return
  talk.over = true
  notifySessionChange(talk)
  releaseDraft(talk)
  talk.upstream.close(1000)
  // A paused socket does not receive the other side's close frame.
  talk.upstream.resume()
  talk.client.resume()
  // Terminate a peer that does not answer the close frame.
  setTimeout(() => talk.upstream.terminate(), 5_000).unref()
  talk.visit.deps.metrics.stream(-1)
}
