import type { Why } from '../rules.ts'
import { letGo } from './secure.ts'
import type { Talk } from './talk.ts'

/** A vendor that has heard somebody begins to answer within this. */
const LINGER_MS = 5_000

/** What was asked for is made, and billed, whoever leaves. */
export const isBusy = (talk: Talk): boolean => talk.running.size > 0 || talk.asked !== undefined

/** What was said may still be answered unasked. */
export const isStirred = (talk: Talk): boolean => Date.now() - talk.stirredAt < LINGER_MS

export const isQuiet = (talk: Talk): boolean => !isBusy(talk) && !isStirred(talk)

export const change = (talk: Talk): Promise<void> => new Promise((wake) => talk.waiting.push(wake))

export function changed(talk: Talk): void {
  for (const wake of talk.waiting.splice(0)) wake()
}

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
