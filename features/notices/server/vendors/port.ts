import type { Clock } from '#platform/server/clock.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { NoticesConfig } from '../config.ts'

export type { NoticesConfig, Sql }

/** A mail ready to be sent. `to` is a bare address; `messageId` is the same at every attempt, so that a mailbox can merge duplicates. */
export interface ReadyMail {
  readonly messageId: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Secret contained in the text; only the sandbox shows it separately. */
  readonly code: string | undefined
  /** Attempt number, from 1. */
  readonly attempt: number
}

export interface OpenMailVendor {
  /**
   * Returns once the vendor has accepted the mail, else throws `SupplierError`. `rejected`: permanently refused (no such mailbox).
   * Everything else is retried under the same Message-ID.
   */
  send(mail: ReadyMail): Promise<void>
  close(): Promise<void>
}

/** A mail vendor; opened once per process. */
export interface MailVendor {
  readonly id: string
  readonly sandbox: boolean
  readonly open: (deps: { readonly config: NoticesConfig; readonly sql: Sql; readonly clock: Clock }) => OpenMailVendor
}

/** Country codes that text messages go to. */
export type SmsRegion = '86' | '852' | '853'

/** A text message ready to be sent. */
export interface ReadySms {
  /** Our id, the same at every attempt; passed to vendors that accept one. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly region: SmsRegion
  /** Text for the reader. Vendors with approved templates send their template with `code` instead. */
  readonly text: string
  readonly code: string
  /** Set for an alarm, which has no code. */
  readonly alarm?: { readonly name: string; readonly detail: string }
  readonly orderedAt: Date
  /** Attempt number, from 1. */
  readonly attempt: number
}

export interface OpenSmsVendor {
  /**
   * Returns once the vendor has accepted the message, else throws `SupplierError`. `rejected`: permanently refused (no such number, the
   * carrier's own limit). `retryable`: not accepted; raises an alarm if our account is the cause (`ours`). `unknown`: `find` decides before
   * another attempt.
   */
  send(sms: ReadySms): Promise<void>
  /** Looks up a message after an attempt without a result. Throws `SupplierError` if the vendor cannot tell. */
  find(sms: ReadySms): Promise<'taken' | 'absent'>
}

/** A carrier of text messages. */
export interface SmsVendor {
  readonly id: string
  readonly sandbox: boolean
  /** Regions that this configuration has credentials for. */
  readonly regions: (config: NoticesConfig) => readonly SmsRegion[]
  /** Balance of our account at the vendor, as decimal text with a currency; absent if the vendor does not report it. */
  readonly balance?: (deps: { readonly config: NoticesConfig; readonly clock: Clock }) => Promise<{ readonly currency: string; readonly amount: string }>
  readonly open: (deps: { readonly config: NoticesConfig; readonly sql: Sql; readonly clock: Clock }) => OpenSmsVendor
}
