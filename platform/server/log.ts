import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger

/** Keys whose values never appear in a log line (ASVS 7.1.1; PCI DSS 3.3). */
const SECRET_KEYS = [
  'password',
  'oldPassword',
  'newPassword',
  'verifyCode',
  'code6',
  'accessToken',
  'token',
  'apiToken',
  'secret',
  'authorization',
  'cookie',
  'cvv',
  'pan',
  'cardNumber',
  'captchaVerifyParam',
  'x-api-key',
  'x-goog-api-key',
  'key',
  'privateKey',
  'idNumber',
]

/** JSON lines on standard output. Keys that can carry a secret are removed three levels deep; URLs lose their query. */
export function createLog(level: string): Log {
  const paths = SECRET_KEYS.flatMap((key) =>
    ['', '*.', '*.*.'].map((depth) => (key.includes('-') ? `${depth.replace(/\.$/, '')}["${key}"]` : `${depth}${key}`)),
  )
  return pino({
    level,
    base: undefined,
    redact: { paths, censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
  })
}

/** The path of a URL without its query, which may carry `?key=`. */
export function stripQuery(url: string): string {
  const cut = url.indexOf('?')
  return cut < 0 ? url : url.slice(0, cut)
}
