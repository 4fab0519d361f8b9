import { createTransport } from 'nodemailer'
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
          return { outcome: 'sent' }
        } catch (error) {
          const { responseCode = 0, command = '', code = '' } = error as { responseCode?: number; command?: string; code?: string }
          const reason = `${code} ${responseCode} ${command}`.trim()
          // A 5xx about this recipient or this message is final; one about our login or greeting is ours to mend.
          if (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) return { outcome: 'refused', reason }
          throw new Error(`smtp: ${reason || 'no connection'}`)
        }
      },
      close: async () => {
        transport.close()
      },
    }
  },
}
