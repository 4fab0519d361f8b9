import { createHmac } from 'node:crypto'

export const BANK_SIGNATURE = 'sandbox-issuer-signature'

/** `t=<seconds>,v1=<HMAC-SHA256 over time, dot and the raw bytes>` */
export function signBankNotice(key: Buffer, at: number, body: Buffer | string): string {
  const time = String(Math.floor(at / 1000))
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.`).update(body).digest('hex')}`
}
