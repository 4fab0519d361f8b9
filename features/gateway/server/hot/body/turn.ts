import { SMALL_BYTES } from './bounds.ts'

/** Everybody else's turn of the loop. */
export const aTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** What reads a body of this length lets others go on between its steps: together they take longer than one turn may. */
export const takesTurns = (body: Buffer): boolean => body.length > SMALL_BYTES
