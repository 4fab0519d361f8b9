import type { Seal, ModelDialect } from './form.ts'
import { wrapSeal, unwrapSeal } from './reading.ts'

const SIGNATURE_MARK = '__mx1_'

/**
 * The id of a call with the vendor's proof of the thinking before it: callers that did not request thoughts get no thinking block, and
 * every client returns an id unread.
 */
export function signCallId(id: string, seal: Seal): string {
  return `${id}${SIGNATURE_MARK}${Buffer.from(wrapSeal(seal), 'base64').toString('base64url')}`
}

/** The vendor's own id, and the proof that came with it. */
export function splitSignedId(id: string, own: ModelDialect): { readonly id: string; readonly seal: Seal | undefined } {
  const at = id.lastIndexOf(SIGNATURE_MARK)
  if (at < 0) return { id, seal: undefined }
  const carried = Buffer.from(id.slice(at + SIGNATURE_MARK.length), 'base64url').toString('base64')
  const seal = unwrapSeal(carried, own)
  return seal.from === own ? { id, seal: undefined } : { id: id.slice(0, at), seal }
}
