import type { Why } from '../rules.ts'
import { isStirred } from './echo.ts'
import { letGo } from './secure.ts'
import type { Talk } from './talk.ts'
import { changed } from './waking.ts'

/** What was asked for is made, and billed, whoever leaves. */
export const isBusy = (talk: Talk): boolean => talk.running.size > 0 || talk.asked !== undefined

export const isQuiet = (talk: Talk): boolean => !isBusy(talk) && !talk.isActing && !isStirred(talk)

/** Ends the session as soon as it is quiet: the client learns why, the vendor hears nothing more. */
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
  // A socket that is not read does not see the other side's goodbye either.
  talk.upstream.resume()
  talk.client.resume()
  // Who does not answer a goodbye is not waited for.
  setTimeout(() => talk.upstream.terminate(), 5_000).unref()
  talk.visit.deps.metrics.stream(-1)
}
