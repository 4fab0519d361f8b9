/** Rules of a mail server for the messages that it accepts. A breach is refused after DATA with the given code. */
export const SMTP_RULES = {
  /** Octets of a line, without its end. */
  line: { most: 998, code: 550, source: 'https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1' },
  /** Lines end in CRLF; neither character comes alone. */
  lineEnd: { value: 'CRLF', code: 550, source: 'https://www.rfc-editor.org/rfc/rfc5321#section-2.3.8' },
  /** Fields that a message has exactly once. `To` is ours: a mail has one recipient. */
  once: { value: ['from', 'date', 'to', 'subject', 'message-id'], code: 550, source: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.6' },
  messageId: { pattern: /^<[^<>\s@]+@[^<>\s@]+>$/, code: 550, source: 'https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4' },
  /** Header fields are ASCII unless the client asks for SMTPUTF8; words in other letters are encoded (RFC 2047). */
  header: { value: 'ASCII', code: 550, source: 'https://www.rfc-editor.org/rfc/rfc6532#section-3.2' },
  /** Octets above 127 in the body need BODY=8BITMIME. */
  body: { value: '7bit', code: 550, source: 'https://www.rfc-editor.org/rfc/rfc6152#section-2' },
} as const
