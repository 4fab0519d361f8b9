import type { VendorSession } from './talk.ts'

/** Resolves when a running or requested response changes. */
export const waitForSessionChange = (talk: VendorSession): Promise<void> => new Promise((wake) => talk.waiting.push(wake))

export function notifySessionChange(talk: VendorSession): void {
  for (const wake of talk.waiting.splice(0)) wake()
}
