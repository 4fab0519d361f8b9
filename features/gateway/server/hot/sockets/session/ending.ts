import type { Why } from '../rules.ts'
import { isStirred } from './echo.ts'
import { letGo } from './secure.ts'
import type { Talk } from './talk.ts'
import { changed } from './waking.ts'

/** True while a response runs or was requested: it is made and billed even if the client disconnects. */
export const isBusy = (talk: Talk): boolean => talk.running.size > 0 || talk.asked !== undefined

export const isQuiet = (talk: Talk): boolean => !isBusy(talk) && !talk.isActing && !isStirred(talk)

/** Closes the session once it is quiet: the client gets the reason, the vendor no more frames. */
export function leave(talk: Talk, why: Why): void {
  talk.ending ??= why
  if (!isQuiet(talk) || talk.over) return
  if (!talk.gone) talk.protocol.goodbye(talk.client, talk.ending)
  finish(talk)
}

export function finish(talk: Talk): void {
  if (talk.over) return
  talk.over = true
  changed(talk)
  letGo(talk)
  talk.upstream.close(1000)
  // A paused socket does not receive the other side's close frame.
  talk.upstream.resume()
  talk.client.resume()
  // Terminate a peer that does not answer the close frame.
  setTimeout(() => talk.upstream.terminate(), 5_000).unref()
  talk.visit.deps.metrics.stream(-1)
}
