import { X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import type { ChannelTools } from '../port.ts'
import type { WechatPayAccount } from './config.ts'
import { buildWechatPayAuthorization, isSignedByWechatPay, unsealWechatPayResource } from './envelope.ts'

const PATH = '/v3/certificates'
const DEADLINE_MS = 5000
/** The vendor requires less than twelve hours between two fetches. */
const MAX_AGE_MS = 10 * 3_600_000
/** A flood of forged serial numbers causes at most one call a minute. */
const MIN_INTERVAL_MS = 60_000

const answer = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({ algorithm: z.string(), nonce: z.string(), associated_data: z.string().optional(), ciphertext: z.string() }),
    }),
  ),
})

export interface KeyRing {
  keyOf(tools: ChannelTools, serial: string): Promise<KeyObject | undefined>
  /** The platform's certificates with their expiry; none if public keys are used. */
  expiries(tools: ChannelTools): Promise<readonly { readonly serial: string; readonly issuer: string; readonly expiresAt: Date }[]>
}

/**
 * Keys that WeChat Pay may sign with: public keys from the configuration, and the platform's certificates if they are used. Several are
 * valid at once during rotation; the vendor names the serial number it used.
 */
export function createKeyRing(account: WechatPayAccount): KeyRing {
  let certificates = new Map<string, X509Certificate>()
  let askedAt = -Infinity
  let asking: Promise<void> | undefined

  const refresh = (tools: ChannelTools): Promise<void> => {
    askedAt = tools.now().getTime()
    asking ??= fetchCertificates(account, tools)
      .then((found) => {
        certificates = found
      })
      .catch((error: unknown) => tools.log.error({ err: error }, "WeChat Pay's certificates could not be fetched"))
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return {
    expiries: async (tools) => {
      if (account.certificates && tools.now().getTime() - askedAt > MAX_AGE_MS) await refresh(tools)
      return [...certificates].map(([serial, { issuer, validTo }]) => ({ serial, issuer: issuer.replaceAll('\n', ', '), expiresAt: new Date(validTo) }))
    },
    keyOf: async (tools, serial) => {
      const configured = account.publicKeys.get(serial)
      if (configured || !account.certificates || !/^[0-9A-F]{16,64}$/i.test(serial)) return configured
      const known = serial.toUpperCase()
      const age = tools.now().getTime() - askedAt
      if (asking) await asking
      else if (age > MAX_AGE_MS || (!certificates.has(known) && age > MIN_INTERVAL_MS)) await refresh(tools)
      const certificate = certificates.get(known)
      return certificate && isValid(certificate, tools.now()) ? certificate.publicKey : undefined
    },
  }
}

const isValid = (certificate: X509Certificate, now: Date) =>
  Date.parse(certificate.validFrom) <= now.getTime() && now.getTime() < Date.parse(certificate.validTo)

/** The response is signed by one of the certificates that it carries; only our API v3 key can decrypt them. */
async function fetchCertificates(account: WechatPayAccount, tools: ChannelTools): Promise<Map<string, X509Certificate>> {
  const reply = await sendOutgoingRequest(tools.fetch, {
    method: 'GET',
    url: account.baseUrl + PATH,
    headers: {
      'authorization': buildWechatPayAuthorization(account, tools.now(), { method: 'GET', path: PATH, body: '' }),
      'accept': 'application/json',
      'user-agent': 'mingxi',
    },
    deadlineMs: DEADLINE_MS,
  })
  if (reply.status !== 200) throw new Error(`certificates: HTTP ${reply.status}`)
  const found = new Map<string, X509Certificate>()
  for (const { serial_no: serialNo, encrypt_certificate: encryptCertificate } of answer.parse(JSON.parse(reply.body.toString('utf8'))).data) {
    const pem = unsealWechatPayResource(account.apiV3Keys, encryptCertificate)
    if (!pem) continue
    const certificate = new X509Certificate(pem)
    if (certificate.serialNumber.toUpperCase() === serialNo.toUpperCase()) found.set(serialNo.toUpperCase(), certificate)
  }
  const signed = await isSignedByWechatPay(async (serial) => found.get(serial.toUpperCase())?.publicKey, tools.now(), reply)
  if (!signed) throw new Error('certificates: the answer is not signed by any of them')
  return found
}
