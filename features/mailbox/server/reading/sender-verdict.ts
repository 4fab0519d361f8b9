import { domainToASCII } from 'node:url'
import type { SenderVerdict } from '../../words.ts'
import type { MailAuth } from './read-mail.ts'

export type AuthResult = 'pass' | 'fail' | 'none'

/** Reduces a result of RFC 8601 to the one shown. `neutral`, `temperror` and `permerror` are neither a pass nor a fail (2.7.1, 2.7.2). */
export const toAuthResult = (result: string): AuthResult => (result === 'pass' ? 'pass' : /fail|policy/.test(result) ? 'fail' : 'none')

const domainOf = (address: string): string => domainToASCII(address.slice(address.lastIndexOf('@')).slice(1)).replace(/\.$/, '')

/**
 * Judges the address shown as the sender. Only a proof of its own domain verifies it: a pass of another domain proves nothing, and a proof
 * of another domain means that the header reads differently here and in the check.
 */
export function judgeSender(sender: string, { spf, dkim, dmarc, provenDomain }: MailAuth): SenderVerdict {
  const isProven = provenDomain === undefined ? dmarc === 'pass' : provenDomain !== '' && provenDomain === domainOf(sender)
  if (isProven) return 'verified'
  return provenDomain || [spf, dkim, dmarc].some((result) => toAuthResult(result) === 'fail') ? 'forged' : 'unverified'
}
