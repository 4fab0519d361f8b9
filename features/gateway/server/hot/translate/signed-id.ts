import type { Seal, Spoken } from './form.ts'
import { carry, uncarry } from './reading.ts'

const MARK = '__mx1_'

/**
 * The id of a call with the vendor's proof of the thinking before it: callers that did not ask for thoughts get no thinking block, and
 * an id is what every client gives back unread.
 */
export function signedId(id: string, seal: Seal): string {
  return `${id}${MARK}${Buffer.from(carry(seal), 'base64').toString('base64url')}`
}

/** The id as the vendor gave it, and the proof that came with it. */
export function unsigned(id: string, own: Spoken): { readonly id: string; readonly seal: Seal | undefined } {
  const at = id.lastIndexOf(MARK)
  if (at < 0) return { id, seal: undefined }
  const carried = Buffer.from(id.slice(at + MARK.length), 'base64url').toString('base64')
  const seal = uncarry(carried, own)
  return seal.from === own ? { id, seal: undefined } : { id: id.slice(0, at), seal }
}
