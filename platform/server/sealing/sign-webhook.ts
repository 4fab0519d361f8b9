import { createHmac } from 'node:crypto'

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`: who checks the time too, cannot be sent an old message again. */
export function signWebhook(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
