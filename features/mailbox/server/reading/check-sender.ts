import { authenticate } from 'mailauth'
import type { DKIMResult } from 'mailauth'
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
  const { spf, dkim, dmarc } = await authenticate(Buffer.from(raw.buffer as ArrayBuffer, raw.byteOffset, raw.byteLength), options)
  const results = dkim.results.map(readDkimResult)
  return {
    spf: spf ? spf.status.result : 'none',
    dkim: ['pass', 'fail'].find((one) => results.includes(one)) ?? results[0] ?? 'none',
    dmarc: dmarc ? dmarc.status.result : 'none',
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
