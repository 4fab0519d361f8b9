import { authenticate } from 'mailauth'
import type { AuthenticateResult, DKIMResult } from 'mailauth'
import { getAlignment } from 'mailauth/lib/tools.js'
import type { MailAuth } from './read-mail.ts'
import type { ResolveDns } from './resolver.ts'

/** SMTP envelope of a mail. */
export interface SmtpEnvelope {
  readonly ip: string
  readonly helo: string
  /** Address in MAIL FROM; empty for a bounce. */
  readonly sender: string
  /** Our own hostname. */
  readonly host: string
}

/** Checks SPF, DKIM and DMARC of a mail on its original bytes. */
export async function checkSender(raw: Uint8Array, { ip, helo, sender, host }: SmtpEnvelope, resolver: ResolveDns): Promise<MailAuth> {
  const options = { ip, helo, sender, mta: host, resolver, disableArc: true, disableBimi: true, rejectRsaSha1: true }
  const checks = await authenticate(Buffer.from(raw.buffer as ArrayBuffer, raw.byteOffset, raw.byteLength), options)
  const { spf, dkim, dmarc } = checks
  const results = dkim.results.map(readDkimResult)
  return {
    spf: spf ? spf.status.result : 'none',
    dkim: ['pass', 'fail'].find((one) => results.includes(one)) ?? results[0] ?? 'none',
    dmarc: dmarc ? dmarc.status.result : 'none',
    provenDomain: findProvenDomain(checks),
  }
}

/**
 * A body that differs from the signed one is `fail` (RFC 8601, 2.7.1; RFC 6376, 6.1.3), for which mailauth reports `neutral`. Its other
 * `neutral` results are signatures that could not be processed: no usable key, a syntax error, From not signed, expired.
 */
function readDkimResult({ status, bodyHash, bodyHashExpecting }: DKIMResult): string {
  const isChanged = bodyHash !== undefined && bodyHashExpecting !== undefined && bodyHash !== bodyHashExpecting
  return status.result === 'neutral' && isChanged ? 'fail' : status.result
}

/**
 * Returns the From domain if a pass proves it: by its DMARC record, else by a DKIM or SPF domain of the same organisation (relaxed alignment,
 * RFC 7489, 3.1). Otherwise empty, also for a From without exactly one domain, for which mailauth evaluates no DMARC.
 */
function findProvenDomain({ spf, dkim, dmarc }: AuthenticateResult): string {
  const author = dmarc ? String(dmarc.status.header?.['from'] ?? '').replace(/\.$/, '') : ''
  if (!dmarc || !author) return ''
  if (dmarc.status.result !== 'none') return dmarc.status.result === 'pass' ? author : ''
  const signers = dkim.results.filter(({ status }) => status.result === 'pass').map(({ signingDomain }) => signingDomain ?? '')
  const senders = spf && spf.status.result === 'pass' ? [spf.domain] : []
  return getAlignment(author, [...signers, ...senders].filter(Boolean)) ? author : ''
}
