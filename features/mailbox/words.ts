/** `generating`: being created. `fresh`: needs a password. `success`: receives mail. `ended`: expired and wiped. */
export const BOX_STATES = ['draft', 'generating', 'fresh', 'success', 'failed', 'ended'] as const
export type BoxState = (typeof BOX_STATES)[number]

export const MAILBOX_PREFIX_PATTERN = /^[a-z0-9]{5,12}$/
/** Names that look like ours, or that mail systems reserve. */
export const RESERVED_MAILBOX_NAMES: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'postmaster', 'hostmaster', 'webmaster', 'abuse', 'security', 'support', 'noreply', 'mailerdaemon'],
  ...['official', 'service', 'billing', 'payment', 'account', 'accounts', 'mingxi', 'system', 'operator', 'helpdesk', 'verify'],
])
export const MAILBOX_PASSWORD_LENGTH = { min: 8, max: 32 } as const

/** Verdict on a mail's sender. `verified`: the domain of the shown address proved it sent the mail. `forged`: a check failed. */
export const SENDER_VERDICTS = ['verified', 'unverified', 'forged'] as const
export type SenderVerdict = (typeof SENDER_VERDICTS)[number]
