import { createTransport } from 'nodemailer'
import { rejectedError, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { MailVendor } from '../port.ts'

/** Any SMTP server. STARTTLS is used when offered; smtps:// is TLS from the first byte. */
export const smtp: MailVendor = {
  id: 'smtp',
  sandbox: false,
  open: ({ config }) => {
    const transport = createTransport({
      url: config.SMTP_URL!,
      pool: true,
      maxConnections: 3,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
    })
    return {
      send: async ({ messageId, from, to, subject, text, html }) => {
        try {
          await transport.sendMail({
            messageId,
            from,
            to: { name: '', address: to },
            subject,
            text,
            html,
            headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          })
        } catch (error) {
          throw toSmtpError(error as SmtpProblem)
        }
      },
      close: async () => {
        transport.close()
      },
    }
  },
}

interface SmtpProblem {
  /** 0 or absent: no response from the server. */
  readonly responseCode?: number
  /** Last command that was sent. */
  readonly command?: string
  /** Nodemailer's code: ESOCKET, EDNS, ETIMEDOUT, EAUTH. */
  readonly code?: string
  readonly syscall?: string
}

/**
 * Source: RFC 5321, 4.2.1 (4yz: try again; 5yz: do not repeat) and 4.5.4.2; nodemailer.com/errors for `command`. A 5yz to the recipient or
 * the message is final; one to the greeting or our login concerns our account. A broken connection may have delivered the message;
 * nodemailer does not report how far it got.
 */
function toSmtpError({ responseCode = 0, command = '', code = '', syscall = '' }: SmtpProblem): SupplierError {
  const detail = `smtp: ${`${code} ${responseCode} ${command}`.trim()}`
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  if (responseCode >= 500)
    return isAboutMail ? rejectedError(command === 'DATA' ? 'content' : 'mailbox', detail) : retryableError('our_account', detail, { ours: true })
  if (responseCode >= 400) return retryableError('too_many', detail)
  return syscall === 'connect' || code === 'EDNS' || code === 'ETLS' ? retryableError('no_connection', detail) : unknownError('no_answer', detail)
}
