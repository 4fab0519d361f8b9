import type { Clock } from '#platform/server/clock.ts'
import type { Sql } from '#platform/server/db.ts'
import type { NoticesConfig } from '../config.ts'

export type { Sql }

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

/** `sent`: the vendor took it. `refused`: it never will (no such mailbox); do not try again. Anything else throws and is retried. */
export type Delivery = { readonly outcome: 'sent' } | { readonly outcome: 'refused'; readonly reason: string }

export interface OpenMailVendor {
  send(mail: ReadyMail): Promise<Delivery>
  close(): Promise<void>
}

/** Who carries mails. Opened once a process. */
export interface MailVendor {
  readonly id: string
  readonly sandbox: boolean
  readonly open: (deps: { readonly config: NoticesConfig; readonly sql: Sql; readonly clock: Clock }) => OpenMailVendor
}
