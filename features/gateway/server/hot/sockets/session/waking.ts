import type { Talk } from './talk.ts'

/** Resolves when something changes of what is under way. */
export const change = (talk: Talk): Promise<void> => new Promise((wake) => talk.waiting.push(wake))

export function changed(talk: Talk): void {
  for (const wake of talk.waiting.splice(0)) wake()
}
