import { createHmac } from 'node:crypto'

/** Signs a webhook: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. A receiver that also checks the time is safe from replays. */
export function signWebhook(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
