import type { Clock } from '#platform/server/clock.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { NoticesConfig } from '../config.ts'

export type { NoticesConfig, Sql }

/** A mail ready to leave. `to` is a bare address; `messageId` is the same at every attempt, so that a mailbox can fold doubles. */
export interface ReadyMail {
  readonly messageId: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The secret that the text carries; only the sandbox shows it apart. */
  readonly code: string | undefined
  /** 1 at the first try. */
  readonly attempt: number
}

export interface OpenMailVendor {
  /**
   * Returns once the vendor has taken it, else throws `SupplierError`. `rejected`: it never will (no such mailbox). Everything else is
   * repeated under the same Message-ID.
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

/** A text message ready to leave. */
export interface ReadySms {
  /** Our id, the same at every attempt; passed to vendors that accept one. */
  readonly id: string
  /** E.164. */
  readonly to: string
  readonly region: SmsRegion
  /** Text for the reader. Vendors with approved templates send their template with `code` instead. */
  readonly text: string
  readonly code: string
  /** Of an alarm, which has no code. */
  readonly alarm?: { readonly name: string; readonly detail: string }
  readonly orderedAt: Date
  /** 1 at the first try. */
  readonly attempt: number
}

export interface OpenSmsVendor {
  /**
   * Returns once the vendor has taken it, else throws `SupplierError`. `rejected`: it never will (no such number, the carrier's own limit).
   * `retryable`: not taken; an alarm where our account is the cause (`ours`). `unknown`: `find` decides before another attempt.
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
